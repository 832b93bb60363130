// The part of UnityEngine that VivantCharacter.cs uses, with Unity's conventions: left-handed, Hamilton product.

using System;
using System.Collections.Generic;

namespace UnityEngine
{
    public struct Vector3
    {
        public float x, y, z;
        public Vector3(float x, float y, float z) { this.x = x; this.y = y; this.z = z; }
        public static Vector3 operator +(Vector3 a, Vector3 b) { return new Vector3(a.x + b.x, a.y + b.y, a.z + b.z); }
        public static Vector3 operator -(Vector3 a, Vector3 b) { return new Vector3(a.x - b.x, a.y - b.y, a.z - b.z); }
        public float magnitude { get { return (float)Math.Sqrt(x * x + y * y + z * z); } }
    }

    public struct Quaternion
    {
        public float x, y, z, w;
        public Quaternion(float x, float y, float z, float w) { this.x = x; this.y = y; this.z = z; this.w = w; }
        public static Quaternion identity { get { return new Quaternion(0, 0, 0, 1); } }
        public static Quaternion Inverse(Quaternion q) { return new Quaternion(-q.x, -q.y, -q.z, q.w); }
        public static Quaternion operator *(Quaternion a, Quaternion b)
        {
            return new Quaternion(
                a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                a.w * b.y + a.y * b.w + a.z * b.x - a.x * b.z,
                a.w * b.z + a.z * b.w + a.x * b.y - a.y * b.x,
                a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z);
        }
        public static Vector3 operator *(Quaternion q, Vector3 v)
        {
            Quaternion turned = q * new Quaternion(v.x, v.y, v.z, 0) * Inverse(q);
            return new Vector3(turned.x, turned.y, turned.z);
        }
    }

    public class Transform
    {
        public Transform parent;
        public Vector3 localPosition;
        public Quaternion localRotation = Quaternion.identity;
        public Quaternion rotation
        {
            get { return parent == null ? localRotation : parent.rotation * localRotation; }
        }
        public Vector3 position
        {
            get { return parent == null ? localPosition : parent.TransformPoint(localPosition); }
            set { localPosition = parent == null ? value : parent.InverseTransformPoint(value); }
        }
        public Vector3 TransformPoint(Vector3 place) { return position + rotation * place; }
        public Vector3 InverseTransformPoint(Vector3 place) { return Quaternion.Inverse(rotation) * (place - position); }
    }

    public class MonoBehaviour
    {
        public Transform transform = new Transform();
    }

    public static class Time
    {
        public static float deltaTime;
    }

    public enum HumanBodyBones
    {
        Hips, LeftUpperLeg, RightUpperLeg, LeftLowerLeg, RightLowerLeg, LeftFoot, RightFoot, Spine, Chest, Neck, Head,
        LeftShoulder, RightShoulder, LeftUpperArm, RightUpperArm, LeftLowerArm, RightLowerArm, LeftHand, RightHand,
        LeftToes, RightToes, LeftEye, RightEye, Jaw,
        LeftThumbProximal, LeftThumbIntermediate, LeftThumbDistal, LeftIndexProximal, LeftIndexIntermediate,
        LeftIndexDistal, LeftMiddleProximal, LeftMiddleIntermediate, LeftMiddleDistal, LeftRingProximal,
        LeftRingIntermediate, LeftRingDistal, LeftLittleProximal, LeftLittleIntermediate, LeftLittleDistal,
        RightThumbProximal, RightThumbIntermediate, RightThumbDistal, RightIndexProximal, RightIndexIntermediate,
        RightIndexDistal, RightMiddleProximal, RightMiddleIntermediate, RightMiddleDistal, RightRingProximal,
        RightRingIntermediate, RightRingDistal, RightLittleProximal, RightLittleIntermediate, RightLittleDistal,
        UpperChest, LastBone
    }

    public class Animator
    {
        public readonly Dictionary<HumanBodyBones, Transform> Nodes = new Dictionary<HumanBodyBones, Transform>();
        public Transform GetBoneTransform(HumanBodyBones bone)
        {
            Transform node;
            return Nodes.TryGetValue(bone, out node) ? node : null;
        }
    }

    public class Mesh
    {
        public string[] Shapes;
        public int blendShapeCount { get { return Shapes.Length; } }
        public string GetBlendShapeName(int shape) { return Shapes[shape]; }
    }

    public class SkinnedMeshRenderer
    {
        public Mesh sharedMesh;
        public readonly Dictionary<int, float> Weights = new Dictionary<int, float>();
        public void SetBlendShapeWeight(int shape, float weight) { Weights[shape] = weight; }
    }
}
