"""Imports a performance into Blender and prints the joint positions, joint rotations and shape keys of some frames as JSON.
It can also render images of the face.

blender -b --factory-startup --python play.py -- '{"file": "show.glb", "fps": 30, "frames": [0, 15]}'
"""

import json
import sys

import bpy
import numpy
from mathutils import Vector

# Blender 3.4 of Debian 12 uses `numpy.bool`, which NumPy 1.24 of Debian 12 no longer has.
if "bool" not in vars(numpy):
    numpy.bool = bool

MARK = "VIVANT "


def to_our_axes(place):
    """Converts a position from Blender (Z up, facing -Y) to ours (Y up, facing +Z)."""
    return [place.x, place.z, -place.y]


def load(path):
    if path.endswith(".bvh"):
        # Blender 3.4 opens the file with mode "U", which Python 3.11 of Debian 12 no longer supports.
        from io_anim_bvh import import_bvh
        import_bvh.open = lambda file, mode: open(file, mode.replace("U", ""))
        bpy.ops.import_anim.bvh(filepath=path, global_scale=0.01, frame_start=0)
    else:
        bpy.ops.import_scene.gltf(filepath=path)


def joints(armature):
    for bone in armature.pose.bones:
        # Rotation from rest to pose in model space, independent of the bone axes that Blender chose.
        rest = armature.matrix_world @ bone.bone.matrix_local
        turn = (armature.matrix_world @ bone.matrix).to_quaternion() @ rest.to_quaternion().inverted()
        place = to_our_axes(armature.matrix_world @ bone.head)
        yield bone.name, {"place": place, "turn": [turn.x, turn.z, -turn.y, turn.w]}


def shapes():
    for mesh in (o for o in bpy.data.objects if o.type == "MESH" and o.data.shape_keys):
        for key in mesh.data.shape_keys.key_blocks[1:]:
            yield f"{mesh.name}/{key.name}", key.value


def measure(armature, frame):
    bpy.context.scene.frame_set(frame)
    return {"joints": dict(joints(armature)), "shapes": dict(shapes())}


def add_camera(armature):
    """Adds a camera and two lamps in front of the face. Returns the eye positions in the image, 0 to 1 from the upper left."""
    scene = bpy.context.scene
    eyes = [armature.matrix_world @ armature.pose.bones[name].head for name in ("leftEye", "rightEye")]
    middle = (eyes[0] + eyes[1]) / 2
    camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
    camera.data.lens = 85
    camera.location = middle + Vector((0, -0.85, -0.02))
    camera.rotation_euler = (1.5707963, 0, 0)
    scene.collection.objects.link(camera)
    scene.camera = camera
    for side in (-1, 1):
        lamp = bpy.data.objects.new("lamp", bpy.data.lights.new("lamp", "SUN"))
        lamp.data.energy = 2.0
        lamp.rotation_euler = (1.0, 0, side * 0.6)
        scene.collection.objects.link(lamp)
    bpy.context.view_layer.update()
    half = 0.5 * camera.data.sensor_width / camera.data.lens
    def project(place):
        local = camera.matrix_world.inverted() @ place
        return [0.5 + 0.5 * local.x / -local.z / half, 0.5 - 0.5 * local.y / -local.z / half]
    return [project(eye) for eye in eyes]


def render(armature, frames, path, size):
    """Renders the face at frames; {} in the path stands for the frame."""
    scene = bpy.context.scene
    scene.frame_set(frames[0])
    eyes = add_camera(armature)
    # The only render engine that works without a display.
    scene.render.engine = "CYCLES"
    scene.cycles.device = "CPU"
    scene.cycles.samples = 12
    scene.cycles.use_denoising = False
    scene.render.resolution_x = scene.render.resolution_y = size
    scene.render.image_settings.file_format = "PNG"
    scene.render.image_settings.color_mode = "RGB"
    scene.view_settings.view_transform = "Standard"
    world = bpy.data.worlds.new("world")
    world.use_nodes = True
    world.node_tree.nodes["Background"].inputs[0].default_value = (0.5, 0.55, 0.6, 1)
    scene.world = world
    pictures = []
    for frame in frames:
        scene.frame_set(frame)
        scene.render.filepath = path.format(frame)
        bpy.ops.render.render(write_still=True)
        picture = bpy.data.images.load(scene.render.filepath)
        pixels = numpy.array(picture.pixels[:]).reshape(size, size, 4)[::-1, :, :3]
        pictures.append(pixels)
    return {"eyes": eyes, "pictures": [picture.mean(axis=2).round(3).tolist() for picture in pictures]}


options = json.loads(sys.argv[-1])
bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.context.scene.render.fps = options["fps"]
load(options["file"])
armature = next(o for o in bpy.data.objects if o.type == "ARMATURE")
result = {
    "version": bpy.app.version_string,
    "actions": sorted(action.name for action in bpy.data.actions),
    "range": [f(a.frame_range[i] for a in bpy.data.actions) for i, f in ((0, min), (1, max))],
    "frames": {frame: measure(armature, frame) for frame in options["frames"]},
}
if "render" in options:
    result["render"] = render(armature, options["renderFrames"], options["render"], options["size"])
print(MARK + json.dumps(result))
