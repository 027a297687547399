//! Models of distances.

use crate::fit::{Sample, fit};
use crate::layout::Layout;
use crate::model::Model;

/// What distances to expect.
#[derive(Clone, Debug)]
pub(crate) struct DistanceModel {
    values: Model,
}

impl DistanceModel {
    pub fn fit(layout: &Layout, sample: &Sample, _scores: &[Vec<u16>]) -> DistanceModel {
        DistanceModel { values: fit(layout, sample) }
    }

    /// What values to expect.
    pub fn values(&self) -> &Model {
        &self.values
    }

    pub fn to_bytes(&self, layout: &Layout) -> Vec<u8> {
        self.values.to_bytes(layout)
    }

    pub fn from_bytes(layout: &Layout, bytes: &[u8]) -> Option<DistanceModel> {
        Some(DistanceModel { values: Model::from_bytes(layout, bytes)? })
    }
}
