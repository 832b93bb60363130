// Makes a humanoid in Unity look alive: add it to the character, which must be in a T-pose when the scene starts.

using System;
using System.Collections.Generic;
using System.Globalization;
using System.Text;
using UnityEngine;

namespace Vivant
{
    public class VivantCharacter : MonoBehaviour
    {
        public Animator animator;
        public SkinnedMeshRenderer face;
        /// The target of its attention, such as a camera or a player's head.
        public Transform someone;
        public int seed = 1;

        struct Joint
        {
            public Transform Node;
            public int Bone;
            /// Inverse rotation of its parent in the T-pose, and its own rotation in the T-pose.
            public Quaternion Before, After;
        }

        readonly List<Joint> joints = new List<Joint>();
        /// Pairs of an expression and the blend shape that shows it.
        readonly List<KeyValuePair<int, int>> shapes = new List<KeyValuePair<int, int>>();
        Transform hips;
        Performer performer;
        double time;

        void Start()
        {
            var bones = new StringBuilder();
            for (int bone = 0; bone < Performer.Bones; bone++)
            {
                string name = Performer.BoneName(bone);
                Transform node = animator.GetBoneTransform(UnityBone(name));
                if (node == null) continue;
                Quaternion undone = Quaternion.Inverse(transform.rotation);
                joints.Add(new Joint {
                    Node = node, Bone = bone,
                    Before = Quaternion.Inverse(undone * node.parent.rotation), After = undone * node.rotation,
                });
                if (name == "hips") hips = node;
                Vector3 place = ToVivant(transform.InverseTransformPoint(node.position));
                bones.Append(bones.Length == 0 ? "" : ", ");
                bones.AppendFormat(CultureInfo.InvariantCulture, "\"{0}\": [{1:R}, {2:R}, {3:R}]", name, place.x, place.y, place.z);
            }
            var names = new List<string>();
            for (int shape = 0; face != null && shape < face.sharedMesh.blendShapeCount; shape++)
                names.Add(face.sharedMesh.GetBlendShapeName(shape));
            string expressions = names.Count == 0 ? "" : "\"" + string.Join("\", \"", names.ToArray()) + "\"";
            performer = Performer.OfBones(
                "{\"version\": 1, \"bones\": {" + bones + "}, \"expressions\": [" + expressions + "]}",
                "{\"seed\": " + seed + "}");
            for (int shape = 0; shape < names.Count; shape++)
                shapes.Add(new KeyValuePair<int, int>(performer.Expression(names[shape]), shape));
        }

        // After the Animator, which writes the same bones.
        void LateUpdate()
        {
            if (someone != null)
            {
                Vector3 place = ToVivant(transform.InverseTransformPoint(someone.position));
                performer.Attend(place.x, place.y, place.z);
            }
            performer.Advance(time += Time.deltaTime);
            foreach (Joint joint in joints)
                joint.Node.localRotation = joint.Before * Rotation(performer.Rotations, 4 * joint.Bone) * joint.After;
            float[] root = performer.Root;
            hips.position = transform.TransformPoint(new Vector3(-root[0], root[1], root[2]));
            foreach (KeyValuePair<int, int> shape in shapes)
                face.SetBlendShapeWeight(shape.Value, 100 * performer.Weights[shape.Key]);
        }

        void OnDestroy()
        {
            if (performer != null) performer.Dispose();
        }

        public void Say(string line)
        {
            performer.Tell("{\"say\": \"" + line.Replace("\\", "\\\\").Replace("\"", "\\\"") + "\"}");
        }

        // Unity is left-handed: X is mirrored. Rotations about X keep their sign, those about Y and Z change it.
        static Vector3 ToVivant(Vector3 place)
        {
            return new Vector3(-place.x, place.y, place.z);
        }

        static Quaternion Rotation(float[] numbers, int at)
        {
            return new Quaternion(numbers[at], -numbers[at + 1], -numbers[at + 2], numbers[at + 3]);
        }

        // VRM and Unity use the same names for bones, except for thumbs.
        static HumanBodyBones UnityBone(string name)
        {
            if (name.Contains("Thumb"))
                name = name.Replace("Proximal", "Intermediate").Replace("Metacarpal", "Proximal");
            return (HumanBodyBones)Enum.Parse(typeof(HumanBodyBones), char.ToUpperInvariant(name[0]) + name.Substring(1));
        }
    }
}
