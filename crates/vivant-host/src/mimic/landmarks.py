"""Prints the landmarks that MediaPipe finds in a video: one line of JSON per frame, on standard output."""

import json
import sys

try:
    import cv2
    from mediapipe.python.solutions import holistic
except ImportError as error:
    sys.exit(f"no-mediapipe: {error}")


def points(landmarks, has_visibility):
    if landmarks is None:
        return None
    rounded = []
    for point in landmarks.landmark:
        numbers = [point.x, point.y, point.z] + ([point.visibility] if has_visibility else [])
        rounded.append([round(number, 5) for number in numbers])
    return rounded


def main(path):
    film = cv2.VideoCapture(path)
    if not film.isOpened():
        sys.exit("cannot open this video")
    fps = film.get(cv2.CAP_PROP_FPS) or 30.0
    count = int(film.get(cv2.CAP_PROP_FRAME_COUNT))
    print(f"frames {count}", file=sys.stderr, flush=True)
    seen, last = 0, -1.0
    with holistic.Holistic(model_complexity=1, refine_face_landmarks=True) as finder:
        while True:
            # Phones record at varying rates, so each frame has its own time where that is known.
            time = film.get(cv2.CAP_PROP_POS_MSEC) / 1000.0
            is_there, picture = film.read()
            if not is_there:
                break
            time = time if time > last else last + 1.0 / fps
            last = time
            found = finder.process(cv2.cvtColor(picture, cv2.COLOR_BGR2RGB))
            sighting = {
                "time": round(time, 5),
                "size": [picture.shape[1], picture.shape[0]],
                "people": 1 if found.pose_landmarks or found.face_landmarks else 0,
                "pose": points(found.pose_landmarks, True),
                "world": points(found.pose_world_landmarks, True),
                "face": points(found.face_landmarks, False),
                "leftHand": points(found.left_hand_landmarks, False),
                "rightHand": points(found.right_hand_landmarks, False),
            }
            print(json.dumps({key: value for key, value in sighting.items() if value is not None}))
            seen += 1
            print(f"frame {seen}", file=sys.stderr, flush=True)
    if seen == 0:
        sys.exit("this video contains no frames")


main(sys.argv[1])
