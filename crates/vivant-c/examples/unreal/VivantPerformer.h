// Vivant for Unreal: a running character, in the space of a skeletal mesh that faces +Y, Z up, in centimetres.

#pragma once

#include "CoreMinimal.h"

#include <vivant.h>

class FVivantPerformer
{
public:
    FVivantPerformer() = default;
    FVivantPerformer(const FVivantPerformer&) = delete;
    FVivantPerformer& operator=(const FVivantPerformer&) = delete;
    ~FVivantPerformer() { vivant_release(Performer); }

    // Starts with the bytes of a VRM, GLB or FBX file. If this or another function returns false, Error() has the reason.
    bool Begin(const char* Name, const uint8* Bytes, size_t Size, const char* Role)
    {
        vivant_avatar Avatar = 0;
        const bool bRead = vivant_abi() == VIVANT_ABI && vivant_avatar_read(Name, Bytes, Size, &Avatar) == VIVANT_OK;
        return bRead && BeginOn(Avatar, Role);
    }

    // Starts with a loaded skeleton: the JSON of vivant_avatar_of_bones(), with positions converted by FromUnreal().
    bool BeginWithBones(const char* Json, const char* Role)
    {
        vivant_avatar Avatar = 0;
        const bool bRead = vivant_abi() == VIVANT_ABI && vivant_avatar_of_bones(Json, &Avatar) == VIVANT_OK;
        return bRead && BeginOn(Avatar, Role);
    }

    // Sends an intent, such as {"say": "Hello!"}.
    bool Tell(const char* Json) { return vivant_tell(Performer, Json, nullptr) == VIVANT_OK; }

    // Sets the point that the eyes attend to, in the space of the mesh.
    bool Attend(const FVector& Place)
    {
        const FVector There = FromUnreal(Place);
        return vivant_attend(Performer, There.X, There.Y, There.Z) == VIVANT_OK;
    }

    // Computes the frame at T, in seconds since the start.
    bool Advance(double T)
    {
        return vivant_advance(Performer, T) == VIVANT_OK
            && vivant_root(Performer, Place, 3) == VIVANT_OK
            && vivant_rotations(Performer, Turns, 4 * VIVANT_BONES) == VIVANT_OK
            && vivant_weights(Performer, Weights, MaxExpressions) == VIVANT_OK;
    }

    // Returns the position of the hips.
    FVector Root() const { return ToUnreal(FVector(Place[0], Place[1], Place[2])); }

    // Returns the rotation of a bone relative to its parent, if both have the axes of the mesh. A bone with other axes has
    // the rotation RestOfParent.Inverse() * Rotation(Bone) * Rest, with rest rotations relative to the mesh in the T-pose.
    FQuat Rotation(size_t Bone) const
    {
        const float* Q = Turns + 4 * Bone;
        return FQuat(-Q[0], -Q[2], -Q[1], Q[3]);
    }

    // Returns the weight of an expression: a morph target.
    float Weight(size_t Expression) const { return Weights[Expression]; }

    const char* Error() const { return vivant_last_error(); }

    // Swaps Y and Z, which changes right-handed to left-handed, and converts metres to centimetres.
    static FVector ToUnreal(const FVector& Metres) { return FVector(Metres.X, Metres.Z, Metres.Y) * 100.0; }
    static FVector FromUnreal(const FVector& Centimetres)
    {
        return FVector(Centimetres.X, Centimetres.Z, Centimetres.Y) * 0.01;
    }

private:
    bool BeginOn(vivant_avatar Avatar, const char* Role)
    {
        vivant_motions Motions = 0;
        vivant_release(Performer);
        const bool bBegan = vivant_motions_built_in(&Motions) == VIVANT_OK
            && vivant_performer_new(Avatar, Motions, Role, &Performer) == VIVANT_OK;
        vivant_release(Motions);
        vivant_release(Avatar);
        return bBegan;
    }

    static constexpr size_t MaxExpressions = 1024;
    vivant_performer Performer = 0;
    float Place[3] = {};
    float Turns[4 * VIVANT_BONES] = {};
    float Weights[MaxExpressions] = {};
};
