"""A film of two eyes that blink, drawn with NumPy, so that every point is known."""

import functools
import json

import numpy as np

WIDTH, HEIGHT, HALF = 200, 80, 24.0
MIDDLES = [(60.0, 40.0), (140.0, 40.0)]  # The person's right eye is left in the image.
FINE = 4


def openness(frame):
    """Returns the openness: a blink of 14 frames every 40 frames."""
    at = frame % 40 - 20
    return 1.0 - 0.95 * np.cos(np.pi * at / 14) ** 2 if abs(at) < 7 else 1.0


def glance(frame):
    return 5.0 * np.sin(frame / 9.0)


def lids(x, opened):
    """Returns the heights of the lids above and below the corners, at a position from -1 to 1 between them."""
    bow = 1 - x * x
    return -13.0 * opened * bow - 1.0 * bow, 5.0 * opened * bow - 1.0 * bow


def points(frame):
    """Returns the eighteen points, x and y."""
    found = []
    for side, (cx, cy) in zip((1, -1), MIDDLES):
        # From the temple to the nose, which is rightwards for the left eye in the image.
        along = [-1.0, -0.5, 0.0, 0.5, 1.0, 0.5, 0.0, -0.5]
        upper = [True, True, True, True, True, False, False, False]
        for x, is_upper in zip(along, upper):
            above, below = lids(x, openness(frame))
            found.append((cx + side * x * HALF, cy + (above if is_upper else below)))
        above, below = lids(0.0, openness(frame))
        found.append((cx + glance(frame), cy + (above + below) / 2))
    return np.array(found)


@functools.lru_cache(maxsize=None)
def picture(frame):
    """Draws a gray image with soft edges: the mean of finer pixels."""
    y, x = np.mgrid[0 : HEIGHT * FINE, 0 : WIDTH * FINE]
    x, y = (x + 0.5) / FINE - 0.5, (y + 0.5) / FINE - 0.5
    # Skin with shading, so that positions can be distinguished.
    light = 150 + 20 * np.sin(x / 17) + 15 * np.cos(y / 11 + x / 29)
    for cx, cy in MIDDLES:
        across = np.clip((x - cx) / HALF, -1, 1)
        above, below = lids(across, openness(frame))
        inside = (abs(x - cx) < HALF) & (y > cy + above) & (y < cy + below)
        iris = (x - cx - glance(frame)) ** 2 + (y - cy + 4) ** 2 < 81
        light = np.where(inside, np.where(iris, 50.0, 225.0), light)
        brow = np.exp(-(((y - cy + 26) / 3) ** 2)) * (abs(x - cx) < HALF * 1.1)
        light = light - 70 * brow
    fine = light.reshape(HEIGHT, FINE, WIDTH, FINE).mean(axis=(1, 3))
    noise = np.random.default_rng(frame).normal(0, 1.5, fine.shape)
    drawn = np.clip(fine + noise, 0, 255).astype(np.uint8)
    drawn.setflags(write=False)
    return drawn


def labelled():
    """Returns different frames, as a person would choose them."""
    return [0, 4, 14, 16, 18, 20, 22, 24, 27, 33, 40, 47, 56, 59, 61, 63, 66, 73]


def write(folder, count, name="me"):
    """Writes the film as Y4M, and labels of some frames."""
    film, labels = folder / f"{name}.y4m", folder / f"{name}.labels.json"
    with open(film, "wb") as file:
        file.write(f"YUV4MPEG2 W{WIDTH} H{HEIGHT} F60:1 Cmono\n".encode())
        for frame in range(count):
            file.write(b"FRAME\n" + picture(frame).tobytes())
    frames = [
        {"frame": frame, "secs": frame / 60, "points": points(frame).round(3).tolist()}
        for frame in labelled()
        if frame < count
    ]
    about = {"version": 1, "film": film.name, "width": WIDTH, "height": HEIGHT, "frames": frames}
    labels.write_text(json.dumps(about))
    return film, labels
