// Plays a character from its folder, or from the files of its folder in memory, and writes every frame to a file as
// 32-bit numbers: root, rotations, weights.
//
//     door FOLDER ROLE SCRIPT.jsonl FPS FRAMES OUT [FILE…]

#include <vivant.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TRY(call) \
    do { \
        if ((call) != VIVANT_OK) { \
            fprintf(stderr, "%s\n  %s\n", #call, vivant_last_error()); \
            exit(1); \
        } \
    } while (0)

static unsigned char *read_file(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0) exit(3);
    *size = (size_t)ftell(file);
    rewind(file);
    unsigned char *bytes = (unsigned char *)malloc(*size + 1);
    if (!bytes || fread(bytes, 1, *size, file) != *size) exit(3);
    bytes[*size] = 0;
    fclose(file);
    return bytes;
}

static vivant_character packed(const char *folder, char **names, size_t count) {
    vivant_file *files = (vivant_file *)calloc(count, sizeof *files);
    if (!files) exit(3);
    for (size_t i = 0; i < count; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        files[i].name = names[i];
        files[i].bytes = read_file(path, &files[i].size);
    }
    vivant_character character;
    TRY(vivant_character_read(files, count, &character));
    for (size_t i = 0; i < count; i++) free((void *)files[i].bytes);
    free(files);
    return character;
}

int main(int argc, char **argv) {
    if (argc < 7) return 2;
    vivant_character character;
    if (argc > 7) character = packed(argv[1], argv + 7, (size_t)argc - 7);
    else TRY(vivant_character_load(argv[1], &character));
    vivant_performer eve;
    TRY(vivant_performer_of_character(character, argv[2], &eve));
    TRY(vivant_release(character));

    size_t size, expressions;
    char *script = (char *)read_file(argv[3], &size);
    for (char *line = strtok(script, "\n"); line; line = strtok(NULL, "\n")) TRY(vivant_tell(eve, line, NULL));
    free(script);

    TRY(vivant_expression_count(eve, &expressions));
    const size_t count = 3 + 4 * VIVANT_BONES + expressions;
    float *numbers = (float *)malloc(count * sizeof *numbers);
    FILE *out = fopen(argv[6], "wb");
    if (!numbers || !out) return 3;
    for (int frame = 0; frame < atoi(argv[5]); frame++) {
        TRY(vivant_advance(eve, frame / atof(argv[4])));
        TRY(vivant_root(eve, numbers, 3));
        TRY(vivant_rotations(eve, numbers + 3, 4 * VIVANT_BONES));
        TRY(vivant_weights(eve, numbers + 3 + 4 * VIVANT_BONES, expressions));
        if (fwrite(numbers, sizeof *numbers, count, out) != count) return 3;
    }
    fclose(out);
    free(numbers);
    TRY(vivant_release(eve));
    return 0;
}
