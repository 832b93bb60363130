//! The JSON Schemas of what people and agents write.
