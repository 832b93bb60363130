// A character in Unreal's left-handed space has the same rotations as in Vivant's space.

#include "VivantPerformer.h"

#include <cmath>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <vector>

static double Off(const FVector& A, const FVector& B)
{
    const FVector D = A - B;
    return std::sqrt(D.X * D.X + D.Y * D.Y + D.Z * D.Z);
}

// Vivant's right-handed rotations, by the matrix of a quaternion.
static FVector Turned(const float* Q, const FVector& V)
{
    const double X = Q[0], Y = Q[1], Z = Q[2], W = Q[3];
    return FVector((1 - 2 * (Y * Y + Z * Z)) * V.X + 2 * (X * Y - W * Z) * V.Y + 2 * (X * Z + W * Y) * V.Z,
                   2 * (X * Y + W * Z) * V.X + (1 - 2 * (X * X + Z * Z)) * V.Y + 2 * (Y * Z - W * X) * V.Z,
                   2 * (X * Z - W * Y) * V.X + 2 * (Y * Z + W * X) * V.Y + (1 - 2 * (X * X + Y * Y)) * V.Z);
}

int main(int, char** Arguments)
{
    std::ifstream File(Arguments[1], std::ios::binary);
    const std::vector<char> Bytes((std::istreambuf_iterator<char>(File)), std::istreambuf_iterator<char>());
    FVivantPerformer Eve;
    if (Eve.Begin("avatar.vrm", reinterpret_cast<const uint8*>(Bytes.data()), 4, nullptr)) return 1;
    if (!Eve.Begin("avatar.vrm", reinterpret_cast<const uint8*>(Bytes.data()), Bytes.size(), "{\"seed\": 7}"))
    {
        std::printf("%s\n", Eve.Error());
        return 1;
    }
    // The same performer in Vivant's space.
    vivant_avatar Avatar = 0;
    vivant_motions Motions = 0;
    vivant_performer Same = 0;
    vivant_avatar_read("a.vrm", reinterpret_cast<const uint8*>(Bytes.data()), Bytes.size(), &Avatar);
    vivant_motions_built_in(&Motions);
    vivant_performer_new(Avatar, Motions, "{\"seed\": 7}", &Same);

    const FVector Points[3] = {FVector(1, 0, 0), FVector(0, 1, 0), FVector(0.3, -0.5, 0.7)};
    // One metre to its left and two ahead: +X and +Y.
    const FVector Someone(100, 200, 150);
    double Most = 0, Farthest = 0;
    for (int Frame = 0; Frame < 600; Frame++)
    {
        float Root[3], Turns[4 * VIVANT_BONES], Signals[VIVANT_SIGNALS];
        const bool bDone = Eve.Attend(Someone) && Eve.Advance(Frame / 60.0)
            && vivant_attend(Same, 1.0, 1.5, 2.0) == VIVANT_OK && vivant_advance(Same, Frame / 60.0) == VIVANT_OK
            && vivant_root(Same, Root, 3) == VIVANT_OK && vivant_rotations(Same, Turns, 4 * VIVANT_BONES) == VIVANT_OK
            && vivant_signals(Same, Signals, VIVANT_SIGNALS) == VIVANT_OK;
        if (!bDone) return 1;
        Farthest = std::fmax(Farthest, Signals[7]);
        Most = std::fmax(Most, Off(Eve.Root(), FVivantPerformer::ToUnreal(FVector(Root[0], Root[1], Root[2]))));
        for (size_t Bone = 0; Bone < VIVANT_BONES; Bone++)
            for (const FVector& Point : Points)
            {
                const FVector There = Eve.Rotation(Bone).RotateVector(FVivantPerformer::ToUnreal(Point));
                Most = std::fmax(Most, Off(There, FVivantPerformer::ToUnreal(Turned(Turns + 4 * Bone, Point))));
            }
    }
    for (uint64_t Handle : {Avatar, Motions, Same}) vivant_release(Handle);
    std::printf("points are off by at most %.6f cm, and it looks %.0f degrees to its left\n", Most, Farthest);
    return Most < 1e-3 && Farthest > 20 && Farthest < 40 ? 0 : 1;
}
