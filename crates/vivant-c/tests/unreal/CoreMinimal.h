// The part of Unreal's CoreMinimal.h that VivantPerformer.h uses, with Unreal's formulas.

#pragma once

#include <cstddef>
#include <cstdint>

typedef uint8_t uint8;

struct FVector
{
    double X, Y, Z;
    FVector(double InX, double InY, double InZ) : X(InX), Y(InY), Z(InZ) {}
    FVector operator*(double By) const { return FVector(X * By, Y * By, Z * By); }
    FVector operator+(const FVector& V) const { return FVector(X + V.X, Y + V.Y, Z + V.Z); }
    FVector operator-(const FVector& V) const { return FVector(X - V.X, Y - V.Y, Z - V.Z); }
    static FVector CrossProduct(const FVector& A, const FVector& B)
    {
        return FVector(A.Y * B.Z - A.Z * B.Y, A.Z * B.X - A.X * B.Z, A.X * B.Y - A.Y * B.X);
    }
};

struct FQuat
{
    double X, Y, Z, W;
    FQuat(double InX, double InY, double InZ, double InW) : X(InX), Y(InY), Z(InZ), W(InW) {}
    FVector RotateVector(const FVector& V) const
    {
        const FVector Q(X, Y, Z);
        const FVector T = FVector::CrossProduct(Q, V) * 2.0;
        return V + T * W + FVector::CrossProduct(Q, T);
    }
};
