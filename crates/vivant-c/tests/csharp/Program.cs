// C# gives the same bits as Rust, and a character in Unity's left-handed space has the correct joint positions.

using System;
using System.Collections.Generic;
using System.IO;
using System.Reflection;
using UnityEngine;
using Vivant;

static class Program
{
    static int Main(string[] arguments)
    {
        PerformTheSame(arguments[0]);
        StandWhereItShould();
        try
        {
            Performer.OfBones("{\"version\": 1, \"bones\": {\"hip\": [0, 1, 0]}}");
            throw new Exception("invalid input was accepted");
        }
        catch (VivantException error)
        {
            Expect(error.Message.Contains("did you mean `hips`?"), error.Message);
        }
        return 0;
    }

    static void Expect(bool holds, string words)
    {
        if (!holds) throw new Exception(words);
    }

    // Does the same as examples/alive.c.
    static void PerformTheSame(string avatar)
    {
        ulong hash = 0xcbf29ce484222325;
        using (Performer eve = Performer.OfFile("avatar.vrm", File.ReadAllBytes(avatar), "{\"seed\": 7}"))
        {
            eve.Tell("{\"say\": \"Hello! How nice that you came.\", \"at\": 1}");
            for (int frame = 0; frame / 60.0 <= 5; frame++)
            {
                double t = frame / 60.0;
                eve.Attend(1.0 - 0.2 * t, 1.5, 2.0);
                eve.Advance(t);
                foreach (float[] numbers in new[] { eve.Root, eve.Rotations, eve.Weights, eve.EyeSignals })
                    foreach (float number in numbers)
                        foreach (byte part in BitConverter.GetBytes(number))
                            hash = unchecked((hash ^ part) * 0x100000001b3);
            }
        }
        Console.WriteLine("hash {0:x16}", hash);
    }

    /// Bones with their parents and positions in the T-pose in Vivant's space.
    static readonly object[,] Skeleton = {
        { "hips", null, 0f, 1f, 0f }, { "spine", "hips", 0f, 1.1f, 0.01f }, { "chest", "spine", 0f, 1.25f, 0f },
        { "neck", "chest", 0f, 1.45f, -0.01f }, { "head", "neck", 0f, 1.53f, 0f },
        { "leftEye", "head", 0.032f, 1.6f, 0.08f }, { "rightEye", "head", -0.032f, 1.6f, 0.08f },
        { "leftShoulder", "chest", 0.03f, 1.4f, 0f }, { "leftUpperArm", "leftShoulder", 0.16f, 1.4f, 0f },
        { "leftLowerArm", "leftUpperArm", 0.42f, 1.4f, 0f }, { "leftHand", "leftLowerArm", 0.68f, 1.4f, 0f },
        { "leftThumbMetacarpal", "leftHand", 0.7f, 1.39f, 0.03f }, { "leftThumbProximal", "leftThumbMetacarpal", 0.73f, 1.38f, 0.06f },
        { "rightUpperArm", "chest", -0.16f, 1.4f, 0f }, { "rightLowerArm", "rightUpperArm", -0.42f, 1.4f, 0f },
        { "rightHand", "rightLowerArm", -0.68f, 1.4f, 0f },
        { "leftUpperLeg", "hips", 0.09f, 0.93f, 0f }, { "leftLowerLeg", "leftUpperLeg", 0.09f, 0.5f, 0f },
        { "leftFoot", "leftLowerLeg", 0.09f, 0.08f, -0.02f }, { "rightUpperLeg", "hips", -0.09f, 0.93f, 0f },
        { "rightLowerLeg", "rightUpperLeg", -0.09f, 0.5f, 0f }, { "rightFoot", "rightLowerLeg", -0.09f, 0.08f, -0.02f },
    };

    static Vector3 Rest(int row)
    {
        return new Vector3((float)Skeleton[row, 2], (float)Skeleton[row, 3], (float)Skeleton[row, 4]);
    }

    static void StandWhereItShould()
    {
        var character = new VivantCharacter { animator = new Animator(), face = new SkinnedMeshRenderer(), seed = 3 };
        character.face.sharedMesh = new Mesh { Shapes = new[] { "eyeBlinkLeft", "eyeBlinkRight", "jawOpen" } };
        // At any position and rotation in a scene, with arbitrary bone axes, and a node that is not a bone.
        var chance = new Random(5);
        character.transform.localPosition = new Vector3(3, 0.5f, -2);
        character.transform.localRotation = Turn(chance, 0.3);
        var nodes = new Dictionary<string, Transform>();
        for (int row = 0; row < Skeleton.GetLength(0); row++)
        {
            string name = (string)Skeleton[row, 0], above = (string)Skeleton[row, 1];
            var node = new Transform { parent = above == null ? character.transform : nodes[above] };
            if (name == "leftLowerArm")
            {
                node.parent = new Transform { parent = node.parent, localRotation = Turn(chance, 3) };
                node.parent.localPosition = new Vector3(0.05f, 0.1f, 0);
            }
            node.localRotation = Turn(chance, 3);
            node.position = character.transform.TransformPoint(Mirrored(Rest(row)));
            nodes[name] = node;
            character.animator.Nodes[UnityBone(name)] = node;
        }
        // To its left, which in Unity is −X.
        character.someone = new Transform();
        character.someone.position = character.transform.TransformPoint(new Vector3(-1.2f, 1.5f, 1.5f));
        Call(character, "Start");
        character.Say("I say \"hello\".");
        Time.deltaTime = 1 / 60f;
        float most = 0, blink = 0, left = 0;
        for (int frame = 0; frame < 600; frame++)
        {
            Call(character, "LateUpdate");
            most = Math.Max(most, Off(character, nodes));
            blink = Math.Max(blink, character.face.Weights[0]);
            left = Math.Max(left, Looks(character, nodes));
        }
        Call(character, "OnDestroy");
        Console.WriteLine("joints are off by at most {0:0.0000} mm, lids close by {1:0} %, the gaze goes {2:0} degrees left",
            1000 * most, blink, left);
        Expect(most < 1e-4f, "wrong joint positions");
        Expect(blink > 80, "it does not blink");
        Expect(left > 30 && left < 50, "it does not look at the target 39 degrees to its left");
    }

    /// Returns the distance between a joint in the scene and in the frame, computed in Vivant's space.
    static float Off(VivantCharacter character, Dictionary<string, Transform> nodes)
    {
        var performer = (Performer)Field(character, "performer");
        var turns = new Dictionary<string, Quaternion>();
        var places = new Dictionary<string, Vector3>();
        float most = 0;
        for (int row = 0; row < Skeleton.GetLength(0); row++)
        {
            string name = (string)Skeleton[row, 0], above = (string)Skeleton[row, 1];
            int at = 4 * Index(name);
            float[] q = performer.Rotations, root = performer.Root;
            var local = new Quaternion(q[at], q[at + 1], q[at + 2], q[at + 3]);
            turns[name] = above == null ? local : turns[above] * local;
            int parent = above == null ? -1 : Row(above);
            places[name] = above == null ? new Vector3(root[0], root[1], root[2])
                : places[above] + turns[above] * (Rest(row) - Rest(parent));
            Vector3 shown = character.transform.InverseTransformPoint(nodes[name].position);
            most = Math.Max(most, (Mirrored(shown) - places[name]).magnitude);
        }
        return most;
    }

    /// Returns the yaw of both eyes in the scene in degrees to the left, and checks it against the signals.
    static float Looks(VivantCharacter character, Dictionary<string, Transform> nodes)
    {
        double yaw = 0;
        foreach (string eye in new[] { "leftEye", "rightEye" })
        {
            Quaternion after = Quaternion.identity;
            foreach (object joint in (System.Collections.IEnumerable)Field(character, "joints"))
                if (ReferenceEquals(joint.GetType().GetField("Node").GetValue(joint), nodes[eye]))
                    after = (Quaternion)joint.GetType().GetField("After").GetValue(joint);
            Quaternion turn = Quaternion.Inverse(character.transform.rotation) * nodes[eye].rotation * Quaternion.Inverse(after);
            Vector3 ahead = turn * new Vector3(0, 0, 1);
            yaw += Math.Atan2(-ahead.x, ahead.z) * 90 / Math.PI;
        }
        double told = ((Performer)Field(character, "performer")).EyeSignals[7];
        Expect(Math.Abs(yaw - told) < 2, "the eyes look " + yaw + " degrees left in the scene, and Vivant says " + told);
        return (float)yaw;
    }

    static Vector3 Mirrored(Vector3 place)
    {
        return new Vector3(-place.x, place.y, place.z);
    }

    static Quaternion Turn(Random chance, double most)
    {
        var numbers = new double[4];
        for (int i = 0; i < 3; i++) numbers[i] = (chance.NextDouble() - 0.5) * most;
        numbers[3] = 1;
        double length = 0;
        foreach (double number in numbers) length += number * number;
        length = Math.Sqrt(length);
        return new Quaternion((float)(numbers[0] / length), (float)(numbers[1] / length), (float)(numbers[2] / length), (float)(1 / length));
    }

    static int Row(string name)
    {
        for (int row = 0; ; row++) if ((string)Skeleton[row, 0] == name) return row;
    }

    static int Index(string name)
    {
        for (int bone = 0; ; bone++) if (Performer.BoneName(bone) == name) return bone;
    }

    static HumanBodyBones UnityBone(string name)
    {
        if (name == "leftThumbMetacarpal") return HumanBodyBones.LeftThumbProximal;
        if (name == "leftThumbProximal") return HumanBodyBones.LeftThumbIntermediate;
        return (HumanBodyBones)Enum.Parse(typeof(HumanBodyBones), name, true);
    }

    const BindingFlags Hidden = BindingFlags.Instance | BindingFlags.NonPublic;

    static void Call(VivantCharacter character, string message)
    {
        typeof(VivantCharacter).GetMethod(message, Hidden).Invoke(character, null);
    }

    static object Field(VivantCharacter character, string name)
    {
        return typeof(VivantCharacter).GetField(name, Hidden).GetValue(character);
    }
}
