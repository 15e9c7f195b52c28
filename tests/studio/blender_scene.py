"""Renders one scene, given as JSON, in Blender: one picture of features, then one for each light."""

import json
import sys
from pathlib import Path

import bpy
from mathutils import Matrix


def build_material(name, spec, textures):
    """A principled surface; the alpha channel of its picture mixes ``roughness`` (0) and ``roughness_alpha`` (1)."""
    material = bpy.data.materials.new(name)
    material.use_nodes = True
    nodes, links = material.node_tree.nodes, material.node_tree.links
    surface = nodes["Principled BSDF"]
    surface.inputs["Specular"].default_value = spec.get("specular", 0.5)
    surface.inputs["Roughness"].default_value = spec["roughness"]
    surface.inputs["Metallic"].default_value = spec.get("metallic", 0.0)
    surface.inputs["Sheen"].default_value = spec.get("sheen", 0.0)
    if "texture" in spec:
        image = nodes.new("ShaderNodeTexImage")
        image.image = bpy.data.images.load(str(textures / spec["texture"]))
        image.image.alpha_mode = "CHANNEL_PACKED"
        image.extension = "EXTEND"
        links.new(image.outputs["Color"], surface.inputs["Base Color"])
        if "roughness_alpha" in spec:
            mix = nodes.new("ShaderNodeMapRange")
            mix.inputs["To Min"].default_value = spec["roughness"]
            mix.inputs["To Max"].default_value = spec["roughness_alpha"]
            links.new(image.outputs["Alpha"], mix.inputs["Value"])
            links.new(mix.outputs["Result"], surface.inputs["Roughness"])
    else:
        surface.inputs["Base Color"].default_value = (*spec["colour"], 1.0)
    return material


def build_object(spec, materials, collection):
    mesh = bpy.data.meshes.new(spec["name"])
    mesh.from_pydata(spec["vertices"], [], spec["faces"])
    if spec.get("uvs"):
        layer = mesh.uv_layers.new()
        for loop in mesh.loops:
            layer.data[loop.index].uv = spec["uvs"][loop.vertex_index]
    if spec.get("smooth"):
        for polygon in mesh.polygons:
            polygon.use_smooth = True
        mesh.use_auto_smooth = True
        mesh.auto_smooth_angle = spec["smooth"]
    mesh.materials.append(materials[spec["material"]])
    thing = bpy.data.objects.new(spec["name"], mesh)
    thing.pass_index = spec["index"]
    collection.objects.link(thing)
    if spec.get("voxel"):
        remesh = thing.modifiers.new("union", "REMESH")
        remesh.mode = "VOXEL"
        remesh.voxel_size = spec["voxel"]
        remesh.use_smooth_shade = True
        smooth = thing.modifiers.new("smooth", "SMOOTH")
        smooth.iterations = 8
        smooth.factor = 0.5
    return thing


def build_light(spec):
    if spec["type"] == "SUN":
        light = bpy.data.lights.new(spec["name"], "SUN")
        light.angle = spec["angle"]
    elif spec["type"] == "AREA":
        light = bpy.data.lights.new(spec["name"], "AREA")
        light.shape = "RECTANGLE"
        light.size, light.size_y = spec["size"]
    else:
        light = bpy.data.lights.new(spec["name"], "POINT")
        light.shadow_soft_size = spec["radius"]
    light.energy = spec["energy"]
    thing = bpy.data.objects.new(spec["name"], light)
    thing.matrix_world = Matrix(spec["matrix"])
    thing.visible_camera = False
    bpy.context.scene.collection.objects.link(thing)
    return thing


def build_world(scene, textures, name):
    world = bpy.data.worlds.new("room")
    world.use_nodes = True
    nodes, links = world.node_tree.nodes, world.node_tree.links
    room = nodes.new("ShaderNodeTexEnvironment")
    room.image = bpy.data.images.load(str(textures / name))
    links.new(room.outputs["Color"], nodes["Background"].inputs["Color"])
    scene.world = world
    return nodes["Background"]


def build_camera(scene, spec):
    data = bpy.data.cameras.new("camera")
    data.sensor_fit = "HORIZONTAL"
    data.sensor_width = 36.0
    data.lens = spec["focal_px"] * 36.0 / spec["width"]
    data.clip_start = 0.01
    camera = bpy.data.objects.new("camera", data)
    camera.matrix_world = Matrix(spec["matrix"])
    scene.collection.objects.link(camera)
    scene.camera = camera
    scene.render.resolution_x, scene.render.resolution_y = spec["width"], spec["height"]
    scene.render.resolution_percentage = 100


def set_up(scene, threads):
    scene.render.engine = "CYCLES"
    scene.render.threads_mode = "FIXED"
    scene.render.threads = threads
    scene.render.use_persistent_data = True
    cycles = scene.cycles
    cycles.device = "CPU"
    cycles.use_adaptive_sampling = False
    cycles.use_denoising = False
    cycles.pixel_filter_type = "BOX"
    cycles.filter_width = 1.0
    cycles.caustics_reflective = cycles.caustics_refractive = False
    cycles.seed = 0
    cycles.sample_clamp_direct = 0.0
    cycles.sample_clamp_indirect = 2.0
    settings = scene.render.image_settings
    settings.file_format = "OPEN_EXR_MULTILAYER"
    settings.color_depth = "16"
    settings.exr_codec = "NONE"


def render(scene, path, samples, bounces):
    cycles = scene.cycles
    cycles.samples = samples
    cycles.max_bounces = bounces
    cycles.diffuse_bounces = cycles.glossy_bounces = bounces
    scene.render.filepath = str(path)
    bpy.ops.render.render(write_still=True)


def main():
    folder, threads = Path(sys.argv[-2]), int(sys.argv[-1])
    spec = json.loads((folder / "scene.json").read_text())
    textures = Path(spec["textures"])
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    set_up(scene, threads)
    build_camera(scene, spec["camera"])
    materials = {name: build_material(name, part, textures) for name, part in spec["materials"].items()}
    for part in spec["objects"]:
        build_object(part, materials, scene.collection)
    background = build_world(scene, textures, spec["world"])
    lights = {}
    for part in spec["lights"]:
        lights.setdefault(part["group"], []).append(build_light(part))
    layer = scene.view_layers[0]
    passes = (
        "use_pass_diffuse_direct", "use_pass_diffuse_indirect", "use_pass_glossy_direct", "use_pass_glossy_indirect",
    )  # fmt: skip
    layer.use_pass_combined = True

    def light(group):
        for name, things in lights.items():
            for thing in things:
                thing.hide_render = name != group
        background.inputs["Strength"].default_value = 1.0 if group == "ambient" else 0.0

    for name in passes:
        setattr(layer, name, True)
    for group, samples in spec["samples"].items():
        light(group)
        print("studio: light", group, flush=True)
        render(scene, folder / f"{group}.exr", samples, 1 if group == "ambient" else 0)
    for name in passes:
        setattr(layer, name, False)
    layer.use_pass_diffuse_color = layer.use_pass_glossy_color = True
    layer.use_pass_object_index = layer.use_pass_z = True
    light(None)
    print("studio: features", flush=True)
    render(scene, folder / "features.exr", spec["feature_samples"], 0)


main()
