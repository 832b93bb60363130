// Animates an avatar for some seconds, lets it say a line, and prints its motion and events.
//
//     alive avatar.vrm [builtin|none] [seconds]
//     alive folder character [seconds]
//
// See docs/guides/c.md for how to compile it. It is valid C and C++.

#include <vivant.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Ends the program with a message if a call fails. A plug-in would log it and continue.
#define TRY(call) \
    do { \
        if ((call) != VIVANT_OK) { \
            fprintf(stderr, "%s\n  %s\n", #call, vivant_last_error()); \
            exit(1); \
        } \
    } while (0)

static unsigned char *read_file(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0) {
        fprintf(stderr, "%s: cannot read the file\n", path);
        exit(1);
    }
    *size = (size_t)ftell(file);
    rewind(file);
    unsigned char *bytes = (unsigned char *)malloc(*size + 1);
    if (!bytes || fread(bytes, 1, *size, file) != *size) {
        fprintf(stderr, "%s: cannot read the whole file\n", path);
        exit(1);
    }
    fclose(file);
    return bytes;
}

// FNV-1a: performances that are equal bit for bit have the same hash.
static uint64_t hashed(uint64_t hash, const float *numbers, size_t count) {
    unsigned char bytes[4];
    for (size_t i = 0; i < count; i++) {
        memcpy(bytes, &numbers[i], sizeof bytes);
        for (size_t k = 0; k < sizeof bytes; k++) hash = (hash ^ bytes[k]) * UINT64_C(0x100000001b3);
    }
    return hash;
}

// The avatar's file is only needed to make a performer.
static vivant_performer performer_of(const char *path, const char *which) {
    size_t size;
    unsigned char *bytes = read_file(path, &size);
    vivant_avatar avatar;
    TRY(vivant_avatar_read(path, bytes, size, &avatar));
    free(bytes);
    vivant_motions motions;
    if (strcmp(which, "none") == 0) TRY(vivant_motions_none(&motions));
    else TRY(vivant_motions_built_in(&motions));
    vivant_performer performer;
    TRY(vivant_performer_new(avatar, motions, "{\"seed\": 7}", &performer));
    TRY(vivant_release(motions));
    TRY(vivant_release(avatar));
    return performer;
}

// A character's folder has everything: avatar, repertoire, behaviour, temperament and learned models.
static vivant_performer performer_of_character(const char *folder) {
    vivant_character character;
    TRY(vivant_character_load(folder, &character));
    vivant_performer performer;
    TRY(vivant_performer_of_character(character, "{\"seed\": 7}", &performer));
    TRY(vivant_release(character));
    return performer;
}

// Prints and removes the events.
static void print_events(vivant_performer performer) {
    size_t size;
    TRY(vivant_events(performer, NULL, 0, &size));
    char *text = (char *)malloc(size);
    if (!text) exit(1);
    TRY(vivant_events(performer, text, size, NULL));
    fputs(text, stdout);
    free(text);
}

int main(int argc, char **argv) {
    if (argc < 2) {
        fprintf(stderr, "usage: alive avatar.vrm|folder [builtin|none|character] [seconds]\n");
        return 2;
    }
    if (vivant_abi() != VIVANT_ABI) {
        fprintf(stderr, "the library is version %s, which does not fit vivant.h\n", vivant_version());
        return 1;
    }
    const char *which = argc > 2 ? argv[2] : "builtin";
    vivant_performer eve =
        strcmp(which, "character") == 0 ? performer_of_character(argv[1]) : performer_of(argv[1], which);
    const double seconds = argc > 3 ? atof(argv[3]) : 10.0;

    // Indices of bones and expressions.
    size_t head, expressions;
    TRY(vivant_bone_index("head", &head));
    TRY(vivant_expression_count(eve, &expressions));
    float root[3], rotations[4 * VIVANT_BONES], signals[VIVANT_SIGNALS];
    float *weights = (float *)malloc((expressions + 1) * sizeof *weights);
    if (!weights) return 1;
    printf("%d bones, %d expressions\n", VIVANT_BONES, (int)expressions);

    TRY(vivant_watch(eve, 1));
    TRY(vivant_tell(eve, "{\"say\": \"Hello! How nice that you came.\", \"at\": 1}", NULL));

    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (int frame = 0; frame / 60.0 <= seconds; frame++) {
        const double t = frame / 60.0;
        // A person walks past, from the character's left to its right.
        TRY(vivant_attend(eve, 1.0 - 0.2 * t, 1.5, 2.0));
        TRY(vivant_advance(eve, t));
        // An engine would set its bones and morph targets here.
        TRY(vivant_root(eve, root, 3));
        TRY(vivant_rotations(eve, rotations, 4 * VIVANT_BONES));
        TRY(vivant_weights(eve, weights, expressions));
        TRY(vivant_signals(eve, signals, VIVANT_SIGNALS));
        hash = hashed(hash, root, 3);
        hash = hashed(hash, rotations, 4 * VIVANT_BONES);
        hash = hashed(hash, weights, expressions);
        hash = hashed(hash, signals, VIVANT_SIGNALS);
        if (frame % 60 == 0) {
            printf("%4.1f s: head turned by (%.3f, %.3f, %.3f, %.3f), gaze %5.1f degrees to its left\n", t,
                   rotations[4 * head], rotations[4 * head + 1], rotations[4 * head + 2],
                   rotations[4 * head + 3], signals[7]);
        }
    }
    print_events(eve);
    printf("hash %016llx\n", (unsigned long long)hash);

    free(weights);
    TRY(vivant_release(eve));
    return 0;
}
