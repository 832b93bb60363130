// Vivant for C#: the part of vivant.h that a plug-in needs. Put it next to the library (vivant_c.dll, libvivant_c.so
// or libvivant_c.dylib) in Assets/Plugins.

using System;
using System.Runtime.InteropServices;
using System.Text;

namespace Vivant
{
    /// An error with a message.
    public class VivantException : Exception
    {
        public VivantException(string message) : base(message) {}
    }

    /// A running character. Dispose of it: the garbage collector does not free it.
    public sealed class Performer : IDisposable
    {
        public const int Bones = 55, Signals = 14;

        /// The last frame, in Vivant's space: right-handed, Y up, facing +Z, in metres.
        public readonly float[] Root = new float[3], Rotations = new float[4 * Bones];
        /// The weights of the avatar's expressions, and the signals of eyes, lids and head.
        public readonly float[] Weights, EyeSignals = new float[Signals];

        ulong handle;

        Performer(ulong avatar, string role)
        {
            ulong motions = 0;
            try
            {
                Check(vivant_motions_built_in(out motions));
                Check(vivant_performer_new(avatar, motions, Text(role), out handle));
                UIntPtr count;
                Check(vivant_expression_count(handle, out count));
                Weights = new float[(int)count];
            }
            finally
            {
                vivant_release(motions);
                vivant_release(avatar);
            }
        }

        /// Creates a performer for a loaded avatar from the positions of its bones: see docs/guides/c.md.
        public static Performer OfBones(string json, string role = "")
        {
            Fit();
            ulong avatar;
            Check(vivant_avatar_of_bones(Text(json), out avatar));
            return new Performer(avatar, role);
        }

        /// Creates a performer from the bytes of a VRM, GLB or FBX file.
        public static Performer OfFile(string name, byte[] bytes, string role = "")
        {
            Fit();
            ulong avatar;
            Check(vivant_avatar_read(Text(name), bytes, (UIntPtr)bytes.Length, out avatar));
            return new Performer(avatar, role);
        }

        static void Fit()
        {
            if (vivant_abi() != 1) throw new VivantException("this library does not fit Vivant.cs");
        }

        /// Sends an intent, such as {"say": "Hello!"}.
        public void Tell(string json)
        {
            Check(vivant_tell(handle, Text(json), IntPtr.Zero));
        }

        /// Sets the point that the eyes attend to, in Vivant's space.
        public void Attend(double x, double y, double z)
        {
            Check(vivant_attend(handle, x, y, z));
        }

        /// Computes the frame at t, in seconds since the start, without allocations.
        public void Advance(double t)
        {
            Check(vivant_advance(handle, t));
            Check(vivant_root(handle, Root, (UIntPtr)Root.Length));
            Check(vivant_rotations(handle, Rotations, (UIntPtr)Rotations.Length));
            Check(vivant_weights(handle, Weights, (UIntPtr)Weights.Length));
            Check(vivant_signals(handle, EyeSignals, (UIntPtr)EyeSignals.Length));
        }

        public static string BoneName(int bone)
        {
            var text = new byte[64];
            Check(vivant_bone_name((UIntPtr)bone, text, (UIntPtr)text.Length, IntPtr.Zero));
            return Encoding.UTF8.GetString(text, 0, Array.IndexOf(text, (byte)0));
        }

        /// Returns the index of an expression by any of its names, or -1.
        public int Expression(string name)
        {
            UIntPtr index;
            return vivant_expression_index(handle, Text(name), out index) == 0 ? (int)index : -1;
        }

        public void Dispose()
        {
            vivant_release(handle);
            handle = 0;
        }

        static byte[] Text(string text)
        {
            return Encoding.UTF8.GetBytes(text + "\0");
        }

        static void Check(int status)
        {
            if (status == 0) return;
            IntPtr text = vivant_last_error();
            int length = 0;
            while (Marshal.ReadByte(text, length) != 0) length++;
            var bytes = new byte[length];
            Marshal.Copy(text, bytes, 0, length);
            throw new VivantException(Encoding.UTF8.GetString(bytes));
        }

        // On iOS and WebGL the library is linked statically, and named "__Internal".
        const string Library = "vivant_c";

        [DllImport(Library)] static extern uint vivant_abi();
        [DllImport(Library)] static extern IntPtr vivant_last_error();
        [DllImport(Library)] static extern int vivant_avatar_read(byte[] name, byte[] bytes, UIntPtr size, out ulong avatar);
        [DllImport(Library)] static extern int vivant_avatar_of_bones(byte[] json, out ulong avatar);
        [DllImport(Library)] static extern int vivant_motions_built_in(out ulong motions);
        [DllImport(Library)] static extern int vivant_performer_new(ulong avatar, ulong motions, byte[] role, out ulong performer);
        [DllImport(Library)] static extern int vivant_release(ulong handle);
        [DllImport(Library)] static extern int vivant_tell(ulong performer, byte[] json, IntPtr intent);
        [DllImport(Library)] static extern int vivant_attend(ulong performer, double x, double y, double z);
        [DllImport(Library)] static extern int vivant_advance(ulong performer, double t);
        [DllImport(Library)] static extern int vivant_root(ulong performer, float[] root, UIntPtr count);
        [DllImport(Library)] static extern int vivant_rotations(ulong performer, float[] rotations, UIntPtr count);
        [DllImport(Library)] static extern int vivant_weights(ulong performer, float[] weights, UIntPtr count);
        [DllImport(Library)] static extern int vivant_signals(ulong performer, float[] signals, UIntPtr count);
        [DllImport(Library)] static extern int vivant_bone_name(UIntPtr bone, byte[] text, UIntPtr capacity, IntPtr size);
        [DllImport(Library)] static extern int vivant_expression_count(ulong performer, out UIntPtr count);
        [DllImport(Library)] static extern int vivant_expression_index(ulong performer, byte[] name, out UIntPtr expression);
    }
}
