"""Prints the bones, shape keys, triangles and materials that Blender imports from a glTF file.

The output is JSON: blender -b --python count.py -- FILE.glb
"""

import json
import sys

import bpy
import numpy

# Blender 3.4 of Debian 12 uses `numpy.bool`, which NumPy 1.24 of Debian 12 no longer has.
if "bool" not in vars(numpy):
    numpy.bool = bool

MARK = "VIVANT "

bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.ops.import_scene.gltf(filepath=sys.argv[-1])

armatures = [o for o in bpy.data.objects if o.type == "ARMATURE"]
meshes = [o for o in bpy.data.objects if o.type == "MESH" and o.vertex_groups]
keys = {k.name for m in meshes if m.data.shape_keys for k in m.data.shape_keys.key_blocks[1:]}
print(MARK + json.dumps({
    "version": bpy.app.version_string,
    "bones": sorted(bone.name for a in armatures for bone in a.data.bones),
    "shapes": sorted(keys),
    "triangles": sum(len(p.vertices) - 2 for m in meshes for p in m.data.polygons),
    "materials": sorted(m.name for m in bpy.data.materials if m.users),
}))
