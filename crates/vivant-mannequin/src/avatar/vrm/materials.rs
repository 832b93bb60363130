//! How the avatar takes the light: MToon with a soft ramp, and plain glTF for whoever does not know it.
//! <https://github.com/vrm-c/vrm-specification/tree/master/specification/VRMC_materials_mtoon-1.0>
//!
//! A vinyl figure has soft edges between light and shade, a warm shade rather than a grey one, and a
//! little light along its edges, which keeps it apart from a dark background.

use crate::avatar::mesh::Material;
use crate::avatar::paint::{self, Picture, colour, linear};
use crate::look::Look;
use glam::Vec3;
use serde_json::json;
use vivant_io::gltf::Builder;

/// The extensions that a file of ours has.
pub(super) const EXTENSIONS: [&str; 2] = ["VRMC_vrm", "VRMC_materials_mtoon"];

const REPEAT: u32 = 10497;
const CLAMP: u32 = 33071;
const LINEAR: u32 = 9729;
const LINEAR_MIPMAPS: u32 = 9987;

/// What a material looks like.
struct Finish {
    name: &'static str,
    /// As screens have it; under a texture of full colour it is white.
    base: Vec3,
    /// What the base is multiplied by in the shade.
    shade: Vec3,
    /// Where light turns to shade: above 0 there is more shade, below less.
    shift: f32,
    /// How sudden: 0 is as soft as can be, 1 an edge.
    toony: f32,
    rim: f32,
    /// For renderers without MToon.
    roughness: f32,
    double_sided: bool,
    texture: Option<Texture>,
    /// Light that comes from where the viewer sees it, whichever way the surface turns.
    matcap: Option<Texture>,
}

struct Texture {
    name: &'static str,
    picture: Picture,
    tiled: bool,
}

impl Texture {
    fn once(name: &'static str, picture: Picture) -> Option<Self> {
        Some(Self { name, picture, tiled: false })
    }

    fn tiled(name: &'static str, picture: Picture) -> Option<Self> {
        Some(Self { name, picture, tiled: true })
    }
}

/// The shade of skin is red, that of cloth leans to blue: both keep their colour.
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

    /// Adds it, and tells whether its surfaces have to say where on a texture they are.
    fn add(self, to: &mut Builder, has_places: bool) -> bool {
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
        let texture = self.texture.filter(|_| has_places);
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

/// The inside of a mouth is dark, but never black.
fn mouth(skin: Vec3) -> Vec3 {
    Vec3::new(0.42, 0.15, 0.15).lerp(skin * 0.35, 0.3)
}

/// Pale soles under dark shoes, and darker ones under pale shoes.
fn soles(shoes: Vec3) -> Vec3 {
    if shoes.element_sum() > 1.5 { shoes * Vec3::new(0.74, 0.7, 0.66) } else { Vec3::new(0.87, 0.85, 0.81) }
}

/// A number as people write it: an f32 would come out as 0.3499999940395355.
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

/// Adds the materials in the order given, each with whether its surfaces say where on a texture they are.
/// Gives which of them need to know.
pub(super) fn add(to: &mut Builder, used: &[(Material, bool)], look: &Look) -> Vec<bool> {
    used.iter().map(|(material, has_places)| Finish::of(*material, look).add(to, *has_places)).collect()
}
