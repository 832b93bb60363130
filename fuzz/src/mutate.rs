//! Interprets bytes as edits of a JSON document.
//!
//! Random bytes are almost never a VRM. So the targets for VRM and VRMA start with a valid file and interpret their
//! bytes as a list of edits: which value, and how it changes. All code behind the first validity check is a few edits
//! away.

use serde_json::{Value, json};

/// Each edit is five bytes: number of a value, operation, and argument.
const EDIT_BYTES: usize = 5;
const MAX_EDITS: usize = 64;

/// Returns the document with the edits in `bytes`, and the remaining bytes.
#[must_use]
pub fn mutate(mut document: Value, bytes: &[u8]) -> (Value, &[u8]) {
    let Some((count, mut rest)) = bytes.split_first() else { return (document, bytes) };
    for _ in 0..usize::from(*count).min(MAX_EDITS) {
        let Some((edit, after)) = rest.split_first_chunk::<EDIT_BYTES>() else { break };
        rest = after;
        let which = usize::from(u16::from_le_bytes([edit[0], edit[1]]));
        let argument = u16::from_le_bytes([edit[3], edit[4]]);
        let donor = nth(&document, usize::from(argument)).cloned().unwrap_or(Value::Null);
        // Modulo, since otherwise almost every random edit would point past the end and do nothing.
        let mut which = which % all(&document).len();
        if let Some(value) = nth_mut(&mut document, &mut which) {
            change(value, edit[2], argument, donor);
        }
    }
    (document, rest)
}

fn change(value: &mut Value, operation: u8, argument: u16, donor: Value) {
    match operation % 16 {
        0 => *value = Value::Null,
        1 => *value = json!(argument),
        2 => *value = json!(-i64::from(argument)),
        3 => *value = json!(f64::from(argument) / 256.0 - 100.0),
        4 => {
            *value = json!([1e308, -1e308, 1e39, 1e-45, u32::MAX, u64::MAX, i64::MIN])
                [usize::from(argument % 7)]
            .take()
        }
        5 => *value = json!(""),
        6 => *value = json!([]),
        7 => *value = json!({}),
        8 => *value = donor,
        9 => *value = json!(vec![value.clone(); usize::from(argument % 16)]),
        10 => {
            *value = json!(
                ["hips", "head", "STEP", "CUBICSPLINE", "VEC3", "SCALAR", "MAT4", "../x"]
                    [usize::from(argument % 8)]
            )
        }
        11 => remove(value, usize::from(argument)),
        12 => push(value, donor),
        13 => *value = json!(char::from_u32(u32::from(argument)).unwrap_or('\u{fffd}').to_string()),
        14 => *value = json!(argument % 4),
        _ => *value = json!(argument.is_multiple_of(2)),
    }
}

fn remove(value: &mut Value, which: usize) {
    match value {
        Value::Array(items) if !items.is_empty() => {
            items.remove(which % items.len());
        }
        Value::Object(fields) if !fields.is_empty() => {
            let key = fields.keys().nth(which % fields.len()).cloned().unwrap_or_default();
            fields.remove(&key);
        }
        _ => {}
    }
}

fn push(value: &mut Value, donor: Value) {
    if let Value::Array(items) = value
        && items.len() < 256
    {
        items.push(donor);
    }
}

/// Returns the value with this number, modulo the count of values.
fn nth(value: &Value, which: usize) -> Option<&Value> {
    let values = all(value);
    values.get(which % values.len()).copied()
}

/// Returns the value and all values inside it; at least one.
fn all(value: &Value) -> Vec<&Value> {
    let mut values = Vec::new();
    let mut open = vec![value];
    while let Some(next) = open.pop() {
        values.push(next);
        match next {
            Value::Array(items) => open.extend(items),
            Value::Object(fields) => open.extend(fields.values()),
            _ => {}
        }
    }
    values
}

fn nth_mut<'a>(value: &'a mut Value, left: &mut usize) -> Option<&'a mut Value> {
    if *left == 0 {
        return Some(value);
    }
    *left -= 1;
    match value {
        Value::Array(items) => items.iter_mut().find_map(|item| nth_mut(item, left)),
        Value::Object(fields) => fields.values_mut().find_map(|field| nth_mut(field, left)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_edit_hits_a_value() {
        let document = json!({"a": [1, 2, {"b": "c"}], "d": null});
        for which in [0u16, 3, 6, 7, 500, u16::MAX] {
            let [low, high] = which.to_le_bytes();
            let bytes = [1, low, high, 1, 77, 0, 9];
            let (edited, rest) = mutate(document.clone(), &bytes);
            assert_ne!(edited, document, "{which}");
            assert_eq!(rest, [9]);
        }
    }
}
