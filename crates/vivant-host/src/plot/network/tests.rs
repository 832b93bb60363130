use super::*;
use crate::plot::svg;
use vivant::chance::Chance;

fn node(index: usize) -> Node {
    let marks = if index == 0 { vec![Mark::Start] } else { Vec::new() };
    Node { name: format!("stance {index}"), counts: ["3 gestures".into(), "1 fidget".into()], marks }
}

/// Makes a group with the given number of boxes and the given number of arrows from each box.
fn group(nodes: usize, arrows: usize, seed: u64) -> Group {
    let chance = Chance::new(seed, "network");
    let mut all: Vec<Arrow> = Vec::new();
    for from in 0..nodes {
        for step in 0..arrows.min(nodes - 1) {
            let to = (from
                + 1
                + (chance.event((from * 97 + step) as u64).uniform() * (nodes - 1) as f64) as usize)
                % nodes;
            if !all.iter().any(|arrow| (arrow.from, arrow.to) == (from, to)) {
                all.push(Arrow { from, to, label: "sit_down".into(), dashed: step == 1 });
            }
        }
    }
    Group { title: "arms".into(), nodes: (0..nodes).map(node).collect(), arrows: all }
}

fn star(nodes: usize) -> Group {
    let both = |i| [(0, i), (i, 0)].map(|(from, to)| Arrow { from, to, label: "2".into(), dashed: false });
    Group { arrows: (1..nodes).flat_map(both).collect(), ..group(nodes, 0, 1) }
}

fn routed(group: &Group) -> Routed {
    let font = Font::new().unwrap();
    let network = Network { title: String::new(), groups: Vec::new() };
    let page = Page::new(&font, &network);
    let sizes: Vec<_> = group.nodes.iter().map(|node| page.size(node)).collect();
    let labels: Vec<_> = group.arrows.iter().map(|arrow| page.width(&arrow.label, SMALL_SIZE)).collect();
    Routed::new(group, &sizes, &labels)
}

/// Checks that boxes do not overlap, no arrow crosses a box, and each arrow ends at the boxes that it connects.
fn check(group: &Group, name: &str) {
    let routed = routed(group);
    for (i, place) in routed.places.iter().enumerate() {
        assert!(routed.places[..i].iter().all(|other| !place.grown(10.0).meets(other)), "{name}: box {i}");
    }
    for (arrow, route) in group.arrows.iter().zip(&routed.routes) {
        for (i, place) in routed.places.iter().enumerate() {
            let crosses = route.points.iter().any(|point| place.holds(*point));
            assert!(!crosses, "{name}: {} → {} through {i}", arrow.from, arrow.to);
        }
        assert!(
            routed.places[arrow.to].grown(4.0).holds(route.head[0]),
            "{name}: the head must be at its box"
        );
        assert!(
            routed.places[arrow.from].grown(4.0).holds(route.points[0]),
            "{name}: the tail must be at its box"
        );
        assert!(routed.bounds.holds(route.head[0]));
    }
}

#[test]
fn no_arrow_crosses_a_box_in_groups_of_one_to_twenty() {
    for nodes in (1..=8).chain([13, 20]) {
        check(&star(nodes), &format!("a star of {nodes}"));
        for arrows in [1, 3] {
            check(&group(nodes, arrows, 7), &format!("{nodes} with {arrows} each"));
        }
    }
}

#[test]
fn a_hub_is_in_the_middle() {
    let routed = routed(&star(8));
    let middle = |rect: &Rect| (f64::midpoint(rect.left, rect.right), f64::midpoint(rect.top, rect.bottom));
    assert_eq!(middle(&routed.places[0]), (0.0, 0.0));
    assert_ne!(middle(&routed.places[1]), (0.0, 0.0));
}

#[test]
fn a_few_labels_do_not_overlap() {
    for group in [star(6), group(5, 2, 3)] {
        let routed = routed(&group);
        for (i, route) in routed.routes.iter().enumerate() {
            assert!(!routed.places.iter().any(|place| place.meets(&route.label)), "label {i}");
            assert!(!routed.routes[..i].iter().any(|other| other.label.meets(&route.label)), "label {i}");
        }
    }
}

#[test]
fn names_counts_marks_and_heads_are_drawn() {
    let mut group = group(3, 2, 5);
    group.nodes[2].marks = vec![Mark::Unreachable, Mark::DeadEnd];
    let (arrows, dashed) = (group.arrows.len(), group.arrows.iter().filter(|arrow| arrow.dashed).count());
    let network = Network { title: "Eve\n3 stances".into(), groups: vec![group] };
    let text = svg::svg(&drawing(&network, &Font::new().unwrap()));
    for label in ["Eve", "3 stances", "arms", "stance 0", "start", "unreachable", "dead end"] {
        assert_eq!(text.matches(&format!(">{label}<")).count(), 1, "{label}");
    }
    assert_eq!(text.matches(">3 gestures<").count(), 3);
    // One head per arrow, and the boxes.
    assert_eq!(text.matches("<polygon").count(), arrows + 3);
    assert!(dashed > 0 && text.matches("stroke-dasharray").count() == dashed);
}

#[test]
fn a_polygon_is_filled_in_a_png() {
    let points = vec![(2.0, 2.0), (18.0, 2.0), (2.0, 18.0)];
    let shapes = vec![Shape::Polygon { points, colour: Colour(0, 0, 0) }];
    let drawing = Drawing { width: 20.0, height: 20.0, shapes };
    let font = Font::new().unwrap();
    let (width, _, pixels) = super::super::tests::decoded(&super::super::png::png(&drawing, &font).unwrap());
    let at = |x: usize, y: usize| pixels[(y * width + x) * 3];
    assert_eq!([at(8, 8), at(38, 38), at(1, 1)], [0, 255, 255]);
}
