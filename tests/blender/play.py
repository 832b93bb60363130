"""Plays a performance in Blender, as an animator would open it, and prints as JSON what it finds at some frames:
where joints are, how they are turned, which shape keys show. It can render pictures of the face.

blender -b --factory-startup --python play.py -- '{"file": "show.glb", "fps": 30, "frames": [0, 15]}'
"""

import json
import sys

import bpy
import numpy
from mathutils import Vector

# Blender 3.4, which Debian 12 has, asks for a name that numpy 1.24, which Debian 12 has too, has no more.
if "bool" not in vars(numpy):
    numpy.bool = bool

MARK = "VIVANT "


def ours(place):
    """Blender has Z up and looks along -Y where we look along +Z."""
    return [place.x, place.z, -place.y]


def load(path):
    if path.endswith(".bvh"):
        # Blender 3.4 opens it in a way that Python 3.11, with which Debian 12 runs it, has no more.
        from io_anim_bvh import import_bvh
        import_bvh.open = lambda file, mode: open(file, mode.replace("U", ""))
        bpy.ops.import_anim.bvh(filepath=path, global_scale=0.01, frame_start=0)
    else:
        bpy.ops.import_scene.gltf(filepath=path)


def joints(armature):
    for bone in armature.pose.bones:
        # From rest to pose, against the model: whatever axes Blender gave the bone.
        rest = armature.matrix_world @ bone.bone.matrix_local
        turn = (armature.matrix_world @ bone.matrix).to_quaternion() @ rest.to_quaternion().inverted()
        place = ours(armature.matrix_world @ bone.head)
        yield bone.name, {"place": place, "turn": [turn.x, turn.z, -turn.y, turn.w]}


def shapes():
    for mesh in (o for o in bpy.data.objects if o.type == "MESH" and o.data.shape_keys):
        for key in mesh.data.shape_keys.key_blocks[1:]:
            yield f"{mesh.name}/{key.name}", key.value


def found(armature, frame):
    bpy.context.scene.frame_set(frame)
    return {"joints": dict(joints(armature)), "shapes": dict(shapes())}


def look_at_face(armature):
    """A camera and two lamps before the face. Gives where the eyes are in the picture, from its upper left."""
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
    def seen(place):
        local = camera.matrix_world.inverted() @ place
        return [0.5 + 0.5 * local.x / -local.z / half, 0.5 - 0.5 * local.y / -local.z / half]
    return [seen(eye) for eye in eyes]


def render(armature, frames, path, size):
    """Pictures of the face at frames: path with {} for the frame."""
    scene = bpy.context.scene
    scene.frame_set(frames[0])
    eyes = look_at_face(armature)
    # The one engine that needs no display.
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
    "frames": {frame: found(armature, frame) for frame in options["frames"]},
}
if "render" in options:
    result["render"] = render(armature, options["renderFrames"], options["render"], options["size"])
print(MARK + json.dumps(result))
