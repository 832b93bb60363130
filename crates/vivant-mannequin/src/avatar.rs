//! The avatar: surfaces, skinning and expressions, made by code.

#[cfg(test)]
mod bending;
mod body;
mod clothes;
mod eyes;
mod field;
mod hair;
mod hands;
mod head;
mod loft;
pub(crate) mod mesh;
mod paint;
mod shoes;
mod skinning;
mod surface;
mod vrm;

use crate::look::Look;
use crate::rig::rig;
use mesh::Part;
use vivant::rig::Rig;

/// A character that can be seen: [`rig`](Avatar::rig) moves it, [`vrm`](Avatar::vrm) is its file.
#[derive(Clone, Debug)]
pub struct Avatar {
    look: Look,
    rig: Rig,
    parts: Vec<Part>,
}

impl Avatar {
    /// Builds the character.
    #[must_use]
    pub fn new(look: Look) -> Self {
        let mut parts = head::head(&look);
        parts.push(eyes::eyes());
        parts.extend(hair::hair(&look));
        parts.extend(body::body(&look));
        Self { look, rig: rig(), parts }
    }

    /// What it can move.
    #[must_use]
    pub fn rig(&self) -> &Rig {
        &self.rig
    }

    /// What it looks like.
    #[must_use]
    pub fn look(&self) -> &Look {
        &self.look
    }

    /// The character as a VRM 1.0 file, the same bytes for the same look.
    #[must_use]
    pub fn vrm(&self) -> Vec<u8> {
        vrm::write(&self.parts, &self.rig, &self.look)
    }

    /// How many triangles it has.
    #[must_use]
    pub fn triangles(&self) -> usize {
        self.parts.iter().map(|part| part.mesh.triangles.len()).sum()
    }

    /// How many vertices it has.
    #[must_use]
    pub fn vertices(&self) -> usize {
        self.parts.iter().map(|part| part.mesh.positions.len()).sum()
    }

    /// How many morph targets its face has.
    #[must_use]
    pub fn morphs(&self) -> usize {
        vrm::morphs(&self.parts)
    }
}

#[cfg(test)]
mod tests;
