//! A performer that mirrors a person.

use super::*;
use serde_json::json;
use std::time::Instant;
use vivant::mimicry::{Landmark, Person};

/// Creates an observation of a person in the given stance of the built-in character.
fn see(server: &Server, stance: &str, time: f64) -> Value {
    let ready = server.state.workspace.ready(&server.state.workspace.first()).unwrap();
    let library = &ready.bound.library;
    let number = library.graph().and_then(|graph| graph.find_stance(stance)).unwrap();
    let person = Person::posed(0.0, library.rig(), &library.stance_pose(number));
    let mut world = vec![[0.0, -1.5, -0.1, 1.0]; 33];
    let joints = [11, 12, 13, 14, 15, 16, 23, 24, 25, 26, 27, 28, 7, 8];
    for (landmark, index) in Landmark::ALL.into_iter().zip(joints) {
        let place = person.landmarks[landmark as usize].place;
        world[index] = [place.x, -place.y, -place.z, 1.0];
    }
    json!({ "see": { "time": time, "world": world } })
}

impl Client {
    /// Sends an observation, and returns what was detected.
    async fn show(&mut self, mut see: Value) -> Value {
        see["id"] = 5.into();
        self.send(&see.to_string()).await;
        loop {
            let mut message = self.next_json().await;
            if message["done"]["id"] == 5 {
                return message["done"]["noticed"][0].take();
            }
            assert!(message.get("error").is_none(), "{message}");
        }
    }
}

#[test]
fn a_performer_takes_the_stance_of_the_mirrored_person() {
    run(async {
        let server = Server::start(&[]).await;
        let mut client = server.asker().await;
        let refused = client.ask(&see(&server, "arms-folded", 0.0).to_string()).await.unwrap_err();
        assert!(refused.contains("does not mirror anyone"), "{refused}");
        client.ask(r#"{"mimic": {"amount": 1, "delay": 0.2}}"#).await.unwrap();
        let nobody = client.show(json!({ "see": { "time": 0, "people": 0 } })).await;
        assert_eq!(nobody["state"], "nobody");
        let began = Instant::now();
        let noticed = loop {
            let noticed = client.show(see(&server, "arms-folded", began.elapsed().as_secs_f64())).await;
            if noticed["answered"].to_string().contains("arms-folded") {
                break noticed;
            }
            tokio::time::sleep(Duration::from_millis(30)).await;
        };
        assert_eq!((&noticed["state"], &noticed["stance"]), (&json!("seen"), &json!("arms-folded")));
        client.ask(r#"{"mimic": null}"#).await.unwrap();
        let refused = client.ask(r#"{"see": {"time": 9}}"#).await.unwrap_err();
        assert!(refused.contains("does not mirror anyone"), "{refused}");
    });
}

#[test]
fn invalid_sightings_and_manners_get_errors() {
    run(async {
        let server = Server::start(&[]).await;
        let mut client = server.asker().await;
        for (request, expected) in [
            (r#"{"mimic": {"amount": 2}}"#, "mimic.amount"),
            (r#"{"mimic": {"delay": -1}}"#, "mimic.delay"),
            (r#"{"mimic": {"speed": 1}}"#, "speed"),
            (r#"{"mimic": true}"#, "mimic"),
            (r#"{"see": {"time": 0, "pose": []}}"#, "see.pose: found 0 points"),
            (r#"{"see": 3}"#, "see"),
            (r#"{"see": {"time": 0}, "performer": "nobody"}"#, "there is no performer `nobody`"),
        ] {
            let error = client.ask(request).await.unwrap_err();
            assert!(error.contains(expected), "{request}: {error}");
        }
    });
}
