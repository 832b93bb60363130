//! Materials: MToon with soft shading, and plain glTF for renderers without MToon.
//! <https://github.com/vrm-c/vrm-specification/tree/master/specification/VRMC_materials_mtoon-1.0>
//!
//! The character looks like a vinyl figure: soft edges between light and shade, a warm shade instead of a grey one,
//! and a weak rim light, which separates the character from a dark background.

use crate::avatar::mesh::Material;
use crate::avatar::paint::{self, Image, colour, linear};
use crate::look::Look;
use glam::Vec3;
use serde_json::json;
use vivant_io::gltf::Builder;

/// The extensions used in the file.
pub(super) const EXTENSIONS: [&str; 2] = ["VRMC_vrm", "VRMC_materials_mtoon"];

const REPEAT: u32 = 10497;
const CLAMP: u32 = 33071;
const LINEAR: u32 = 9729;
const LINEAR_MIPMAPS: u32 = 9987;

/// The appearance of a material.
struct Finish {
    name: &'static str,
    /// Base colour in sRGB; white under a full-colour texture.
    base: Vec3,
    /// Factor by which the base colour is multiplied in the shade.
    shade: Vec3,
    /// Threshold between light and shade. Values above 0 give more shade, values below 0 give less.
    shift: f32,
    /// Sharpness of the transition: 0 is as soft as possible, 1 is an edge.
    toony: f32,
    rim: f32,
    /// Roughness for renderers without MToon.
    roughness: f32,
    double_sided: bool,
    texture: Option<Texture>,
    /// A light that stays in place for the viewer when the surface rotates.
    matcap: Option<Texture>,
}

struct Texture {
    name: &'static str,
    picture: Image,
    tiled: bool,
}

impl Texture {
    fn once(name: &'static str, picture: Image) -> Option<Self> {
        Some(Self { name, picture, tiled: false })
    }

    fn tiled(name: &'static str, picture: Image) -> Option<Self> {
        Some(Self { name, picture, tiled: true })
    }
}

/// Shade factors: the shade of skin is reddish, and the shade of cloth is slightly blue, so that both keep their
/// colour.
const SKIN_SHADE: Vec3 = Vec3::new(0.52, 0.29, 0.22);
const CLOTH_SHADE: Vec3 = Vec3::new(0.34, 0.28, 0.34);

impl Finish {
    fn new(name: &'static str, base: Vec3) -> Self {
        Self {
            name,
            base,
            shade: CLOTH_SHADE,
            shift: -0.42,
            toony: 0.42,
            rim: 0.06,
            roughness: 0.85,
            double_sided: false,
            texture: None,
            matcap: None,
        }
    }

    fn skin(name: &'static str, base: Vec3) -> Self {
        Self { shade: SKIN_SHADE, shift: -0.42, roughness: 0.6, ..Self::new(name, base) }
    }

    fn of(material: Material, look: &Look) -> Self {
        let skin = colour(look.skin);
        let hair = colour(look.hair);
        match material {
            Material::Face => {
                Self { texture: Texture::once("face", paint::face(look)), ..Self::skin("face", Vec3::ONE) }
            }
            Material::Skin => Self::skin("skin", skin),
            Material::Eye => Self {
                shade: Vec3::new(0.78, 0.74, 0.76),
                rim: 0.0,
                roughness: 0.15,
                texture: Texture::once("eye", paint::eye(look)),
                matcap: Texture::once("catch-light", paint::catch_light()),
                ..Self::new("eye", Vec3::ONE)
            },
            Material::Lash => Self { rim: 0.0, double_sided: true, ..Self::new("lash", hair * 0.45) },
            Material::Hair => Self {
                roughness: 0.5,
                rim: 0.04,
                texture: Texture::tiled("strands", paint::strands()),
                ..Self::new("hair", (hair * 1.2).min(Vec3::ONE))
            },
            Material::Mouth => Self { rim: 0.0, double_sided: true, ..Self::skin("mouth", mouth(skin)) },
            Material::Teeth => {
                Self { rim: 0.0, roughness: 0.3, ..Self::skin("teeth", Vec3::new(0.96, 0.94, 0.9)) }
            }
            Material::Tongue => Self { rim: 0.0, ..Self::skin("tongue", Vec3::new(0.82, 0.42, 0.42)) },
            Material::Top => {
                Self { texture: Texture::tiled("knit", paint::knit()), ..Self::new("top", colour(look.top)) }
            }
            Material::Trim => Self::new("trim", colour(look.top) * 0.86),
            Material::Trousers => Self {
                texture: Texture::tiled("twill", paint::twill()),
                ..Self::new("trousers", colour(look.trousers))
            },
            Material::Shoes => Self { roughness: 0.5, ..Self::new("shoes", colour(look.shoes)) },
            Material::Soles => Self::new("soles", soles(colour(look.shoes))),
        }
    }

    /// Adds the material. Returns true if its meshes need texture coordinates.
    fn add(self, to: &mut Builder, has_uvs: bool) -> bool {
        let base = linear(self.base);
        let shade = base * self.shade;
        let rim = [short(self.rim); 3];
        let mut pbr = json!({
            "baseColorFactor": base.extend(1.0).to_array(), "metallicFactor": 0.0,
            "roughnessFactor": short(self.roughness),
        });
        let mut toon = json!({
            "specVersion": "1.0",
            "shadeColorFactor": shade.to_array(),
            "shadingShiftFactor": short(self.shift),
            "shadingToonyFactor": short(self.toony),
            "giEqualizationFactor": 0.9,
            "parametricRimColorFactor": rim,
            "parametricRimFresnelPowerFactor": 4.0,
            "rimLightingMixFactor": 1.0,
            "outlineWidthMode": "none",
        });
        let texture = self.texture.filter(|_| has_uvs);
        if let Some(texture) = &texture {
            let index = add_texture(to, texture);
            pbr["baseColorTexture"] = json!({ "index": index });
            toon["shadeMultiplyTexture"] = json!({ "index": index });
        }
        if let Some(matcap) = self.matcap {
            toon["matcapFactor"] = json!([1.0, 1.0, 1.0]);
            toon["matcapTexture"] = json!({ "index": add_texture(to, &matcap) });
        }
        let mut material = json!({
            "name": self.name,
            "pbrMetallicRoughness": pbr,
            "extensions": { "VRMC_materials_mtoon": toon },
        });
        if self.double_sided {
            material["doubleSided"] = json!(true);
        }
        to.push("materials", material);
        texture.is_some()
    }
}

/// Returns the colour of the inside of the mouth, which is dark but not black.
fn mouth(skin: Vec3) -> Vec3 {
    Vec3::new(0.42, 0.15, 0.15).lerp(skin * 0.35, 0.3)
}

/// Returns the colour of the soles: light for dark shoes, and darker for light shoes.
fn soles(shoes: Vec3) -> Vec3 {
    if shoes.element_sum() > 1.5 { shoes * Vec3::new(0.74, 0.7, 0.66) } else { Vec3::new(0.87, 0.85, 0.81) }
}

/// Rounds a value for readability. An f32 would be written as 0.3499999940395355.
fn short(value: f32) -> f64 {
    f64::from((value * 1000.0).round()) / 1000.0
}

fn add_texture(to: &mut Builder, texture: &Texture) -> usize {
    let wrap = if texture.tiled { REPEAT } else { CLAMP };
    let sampler = json!({ "magFilter": LINEAR, "minFilter": LINEAR_MIPMAPS, "wrapS": wrap, "wrapT": wrap });
    let sampler = to.push("samplers", sampler);
    let view = to.push_bytes(&texture.picture.png(), None);
    let image =
        to.push("images", json!({ "name": texture.name, "bufferView": view, "mimeType": "image/png" }));
    to.push("textures", json!({ "name": texture.name, "sampler": sampler, "source": image }))
}

/// Adds the materials in the given order. The flag of a material is true if its meshes have texture coordinates.
/// Returns true for each material that needs texture coordinates.
pub(super) fn add(to: &mut Builder, used: &[(Material, bool)], look: &Look) -> Vec<bool> {
    used.iter().map(|(material, has_uvs)| Finish::of(*material, look).add(to, *has_uvs)).collect()
}
