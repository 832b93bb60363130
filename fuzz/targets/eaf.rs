#![no_main]

use vivant_fuzz as _;

/// Checks that an accepted file has valid times and existing references, and reads the same as UTF-16.
fn check(data: &[u8]) {
    let Ok(annotations) = vivant_io::eaf::read(data, &mut Vec::new()) else { return };
    for tier in &annotations.tiers {
        assert!(tier.parent.is_none_or(|parent| parent < annotations.tiers.len()));
        for annotation in &tier.annotations {
            assert!(
                annotation.start.is_finite() && 0.0 <= annotation.start && annotation.start <= annotation.end
            );
            if let Some((tier, index)) = annotation.refers_to {
                assert!(index < annotations.tiers[tier].annotations.len());
            }
        }
    }
    if let Ok(text) = std::str::from_utf8(data)
        && !text.starts_with('\u{feff}')
    {
        let units = text.encode_utf16().flat_map(u16::to_le_bytes);
        let bytes: Vec<u8> = [0xFF, 0xFE].into_iter().chain(units).collect();
        assert_eq!(vivant_io::eaf::read(&bytes, &mut Vec::new()).as_ref(), Ok(&annotations));
    }
}

libfuzzer_sys::fuzz_target!(|data: &[u8]| check(data));
