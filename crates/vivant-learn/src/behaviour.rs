//! A behaviour model from annotated video (paper 4, section 7.3).
