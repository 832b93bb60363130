// Misuses the library in every way that C allows, and expects an error each time.

#include <vivant.h>

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static int faults = 0;

#define EXPECT(expected, call) \
    do { \
        const int32_t status = (call); \
        if (status != (expected)) { \
            printf("line %d: %s is %d, not %s: %s\n", __LINE__, #call, (int)status, #expected, vivant_last_error()); \
            faults++; \
        } else if (status != VIVANT_OK && strlen(vivant_last_error()) == 0) { \
            printf("line %d: %s has no message\n", __LINE__, #call); \
            faults++; \
        } \
    } while (0)

#define SAYS(words) \
    do { \
        if (!strstr(vivant_last_error(), words)) { \
            printf("line %d: “%s” lacks “%s”\n", __LINE__, vivant_last_error(), words); \
            faults++; \
        } \
    } while (0)

static const char *BONES =
    "{\"version\": 1, \"bones\": {\"hips\": [0, 1, 0], \"spine\": [0, 1.1, 0], \"head\": [0, 1.5, 0]},"
    " \"expressions\": [\"blinkLeft\", \"blinkRight\", \"aa\"]}";
static const char *REPERTOIRE =
    "{\"version\": 1, \"stances\": [{\"name\": \"standing\", \"gestures\": [{\"clip\": \"wave.bvh\"}]}]}";

static void make_wrong(void) {
    vivant_avatar avatar = 7;
    vivant_motions motions = 7;
    vivant_performer performer = 7;
    const unsigned char bytes[4] = {'o', 'h', 'n', 'o'};
    EXPECT(VIVANT_NULL, vivant_avatar_read(NULL, bytes, 4, &avatar));
    EXPECT(VIVANT_NULL, vivant_avatar_read("a.vrm", NULL, 4, &avatar));
    EXPECT(VIVANT_NULL, vivant_avatar_read("a.vrm", bytes, 4, NULL));
    EXPECT(VIVANT_BAD_VALUE, vivant_avatar_read("a.vrm", bytes, 4, &avatar));
    SAYS("a.vrm: ");
    if (avatar != 0) printf("a failed call returned a handle\n"), faults++;
    EXPECT(VIVANT_BAD_VALUE, vivant_avatar_read("a.vrm", NULL, 0, &avatar));
    EXPECT(VIVANT_BAD_SIZE, vivant_avatar_read("a.vrm", bytes, (size_t)-1, &avatar));
    EXPECT(VIVANT_BAD_TEXT, vivant_avatar_read("\xff", bytes, 4, &avatar));
    EXPECT(VIVANT_NULL, vivant_avatar_of_bones(NULL, &avatar));
    EXPECT(VIVANT_NULL, vivant_avatar_of_bones(BONES, NULL));
    EXPECT(VIVANT_BAD_VALUE, vivant_avatar_of_bones("{\"version\": 1, \"bones\": {\"hip\": [0, 1, 0]}}", &avatar));
    SAYS("did you mean `hips`?");
    EXPECT(VIVANT_NULL, vivant_motions_none(NULL));
    EXPECT(VIVANT_NULL, vivant_motions_of_repertoire(NULL, &motions));
    EXPECT(VIVANT_BAD_VALUE, vivant_motions_of_repertoire("{}", &motions));
    EXPECT(VIVANT_BAD_HANDLE, vivant_motions_add_file(0, "wave.bvh", bytes, 4));
    EXPECT(VIVANT_BAD_HANDLE, vivant_performer_new(0, 0, NULL, &performer));
    SAYS("was it created?");
    EXPECT(VIVANT_BAD_HANDLE, vivant_performer_of_character(0, NULL, &performer));
    SAYS("was it created?");
    EXPECT(VIVANT_BAD_HANDLE, vivant_performer_another(12345, NULL, &performer));
    if (performer != 0) printf("a failed call returned a handle\n"), faults++;
}

// A character whose folder or files are missing or broken.
static void character_wrong(void) {
    vivant_character character = 7;
    const unsigned char toml[] = "version = 1\navatar = \"me.vrm\"\n";
    const vivant_file manifest = {"character.toml", toml, sizeof toml - 1};
    const vivant_file unnamed = {NULL, toml, 1}, empty = {"character.toml", NULL, 1};
    EXPECT(VIVANT_NULL, vivant_character_load(NULL, &character));
    EXPECT(VIVANT_NULL, vivant_character_load("builtin", NULL));
    EXPECT(VIVANT_BAD_TEXT, vivant_character_load("\xff", &character));
    EXPECT(VIVANT_BAD_VALUE, vivant_character_load("there/is/no/such/folder", &character));
    SAYS("there/is/no/such/folder: ");
    if (character != 0) printf("a failed call returned a handle\n"), faults++;
    EXPECT(VIVANT_NULL, vivant_character_read(NULL, 1, &character));
    EXPECT(VIVANT_NULL, vivant_character_read(&manifest, 1, NULL));
    EXPECT(VIVANT_BAD_SIZE, vivant_character_read(&manifest, (size_t)-1, &character));
    EXPECT(VIVANT_NULL, vivant_character_read(&unnamed, 1, &character));
    SAYS("files[0].name");
    EXPECT(VIVANT_NULL, vivant_character_read(&empty, 1, &character));
    SAYS("files[0].bytes");
    EXPECT(VIVANT_BAD_VALUE, vivant_character_read(NULL, 0, &character));
    EXPECT(VIVANT_BAD_VALUE, vivant_character_read(&manifest, 1, &character));
    SAYS("me.vrm: no such file");
    EXPECT(VIVANT_BAD_HANDLE, vivant_character_info(0, NULL, 0, NULL));
}

// A repertoire whose file is missing, broken or of another kind.
static void file_wrong(vivant_avatar avatar) {
    vivant_motions motions;
    vivant_performer performer;
    EXPECT(VIVANT_OK, vivant_motions_of_repertoire(REPERTOIRE, &motions));
    EXPECT(VIVANT_BAD_VALUE, vivant_performer_new(avatar, motions, NULL, &performer));
    SAYS("wave");
    EXPECT(VIVANT_BAD_VALUE, vivant_motions_add_file(motions, "wave.bvh", (const unsigned char *)"HIERARCHY", 9));
    SAYS("wave.bvh: ");
    EXPECT(VIVANT_NULL, vivant_motions_add_file(motions, "wave.bvh", NULL, 9));
    EXPECT(VIVANT_BAD_VALUE, vivant_motions_behave(motions, "{\"version\": 9}"));
    EXPECT(VIVANT_BAD_HANDLE, vivant_motions_behave(avatar, "{}"));
    SAYS("of another kind");
    EXPECT(VIVANT_OK, vivant_release(motions));
}

static void tell_wrong(vivant_performer eve) {
    const int16_t voice[4] = {0, 1, 0, -1};
    EXPECT(VIVANT_NULL, vivant_tell(eve, NULL, NULL));
    EXPECT(VIVANT_BAD_TEXT, vivant_tell(eve, "{\"say\": \"\xc3\x28\"}", NULL));
    EXPECT(VIVANT_BAD_VALUE, vivant_tell(eve, "", NULL));
    EXPECT(VIVANT_BAD_VALUE, vivant_tell(eve, "{\"sey\": \"Hello\"}", NULL));
    SAYS("did you mean `say`");
    EXPECT(VIVANT_BAD_VALUE, vivant_tell_with_voice(eve, "{\"blink\": true}", 24000, voice, 4, NULL));
    EXPECT(VIVANT_BAD_VALUE, vivant_tell_with_voice(eve, "{\"say\": \"Hello\"}", 1, voice, 4, NULL));
    EXPECT(VIVANT_NULL, vivant_tell_with_voice(eve, "{\"say\": \"Hello\"}", 24000, NULL, 4, NULL));
    EXPECT(VIVANT_BAD_SIZE, vivant_tell_with_voice(eve, "{\"say\": \"Hello\"}", 24000, voice, (size_t)-1, NULL));
    EXPECT(VIVANT_BAD_VALUE, vivant_attend(eve, NAN, 0, 1));
    EXPECT(VIVANT_BAD_VALUE, vivant_follow(eve, 0, INFINITY, 1));
    EXPECT(VIVANT_BAD_VALUE, vivant_follow(eve, 0, 1e9, 1));
    SAYS("follow[1]");
    EXPECT(VIVANT_BAD_VALUE, vivant_advance(eve, NAN));
    EXPECT(VIVANT_BAD_VALUE, vivant_advance(eve, INFINITY));
    EXPECT(VIVANT_BAD_VALUE, vivant_advance(eve, 1.7e9));
    SAYS("seconds since the start of the performer");
    EXPECT(VIVANT_NULL, vivant_advance_all(NULL, 3, 1.0));
    EXPECT(VIVANT_BAD_SIZE, vivant_advance_all(&eve, (size_t)-1, 1.0));
    const vivant_performer some[3] = {0, eve, eve + 1};
    EXPECT(VIVANT_BAD_HANDLE, vivant_advance_all(some, 3, 0.5));
    double t = 0;
    EXPECT(VIVANT_OK, vivant_time(eve, &t));
    if (t != 0.5) printf("an invalid handle stopped the others\n"), faults++;
}

static void read_wrong(vivant_performer eve) {
    float numbers[4 * VIVANT_BONES];
    size_t index, size = 0;
    char text[16];
    EXPECT(VIVANT_NULL, vivant_time(eve, NULL));
    EXPECT(VIVANT_NULL, vivant_root(eve, NULL, 3));
    EXPECT(VIVANT_BAD_SIZE, vivant_root(eve, numbers, 2));
    EXPECT(VIVANT_BAD_SIZE, vivant_rotations(eve, numbers, VIVANT_BONES));
    SAYS("220 values needed, room for 55");
    EXPECT(VIVANT_BAD_SIZE, vivant_rotations(eve, numbers, (size_t)-1));
    EXPECT(VIVANT_BAD_VALUE, vivant_rotations(eve, (float *)((char *)numbers + 1), 4 * VIVANT_BONES));
    EXPECT(VIVANT_BAD_SIZE, vivant_weights(eve, numbers, 2));
    EXPECT(VIVANT_NULL, vivant_weights(eve, NULL, 3));
    EXPECT(VIVANT_BAD_SIZE, vivant_signals(eve, numbers, 13));
    EXPECT(VIVANT_NULL, vivant_expression_count(eve, NULL));
    EXPECT(VIVANT_BAD_VALUE, vivant_expression_name(eve, 3, text, sizeof text, NULL));
    EXPECT(VIVANT_BAD_VALUE, vivant_expression_index(eve, "blinkLefft", &index));
    SAYS("did you mean `blinkLeft`?");
    EXPECT(VIVANT_NULL, vivant_expression_index(eve, "aa", NULL));
    EXPECT(VIVANT_BAD_VALUE, vivant_bone_index("hed", &index));
    EXPECT(VIVANT_BAD_VALUE, vivant_bone_name(VIVANT_BONES, text, sizeof text, NULL));
    EXPECT(VIVANT_BAD_VALUE, vivant_signal_name(VIVANT_SIGNALS, text, sizeof text, NULL));
    EXPECT(VIVANT_NULL, vivant_bone_name(0, NULL, 5, NULL));
    memset(text, '#', sizeof text);
    EXPECT(VIVANT_BAD_SIZE, vivant_bone_name(0, text, 4, &size));
    if (size != 5 || text[0] != '#') printf("a text that does not fit was written\n"), faults++;
    EXPECT(VIVANT_OK, vivant_bone_name(0, NULL, 0, &size));
    EXPECT(VIVANT_OK, vivant_bone_name(0, text, 5, NULL));
    if (size != 5 || strcmp(text, "hips") != 0) printf("the first bone is called %s\n", text), faults++;
}

static void use_after_release(vivant_performer eve) {
    float numbers[4 * VIVANT_BONES];
    char text[16];
    double t;
    vivant_performer another = 1;
    EXPECT(VIVANT_OK, vivant_release(eve));
    EXPECT(VIVANT_BAD_HANDLE, vivant_release(eve));
    EXPECT(VIVANT_BAD_HANDLE, vivant_advance(eve, 1.0));
    SAYS("was released");
    EXPECT(VIVANT_BAD_HANDLE, vivant_time(eve, &t));
    EXPECT(VIVANT_BAD_HANDLE, vivant_rotations(eve, numbers, 4 * VIVANT_BONES));
    EXPECT(VIVANT_BAD_HANDLE, vivant_tell(eve, "{\"blink\": true}", NULL));
    EXPECT(VIVANT_BAD_HANDLE, vivant_attend(eve, 0, 1, 1));
    EXPECT(VIVANT_BAD_HANDLE, vivant_look_freely(eve));
    EXPECT(VIVANT_BAD_HANDLE, vivant_watch(eve, 1));
    EXPECT(VIVANT_BAD_HANDLE, vivant_events(eve, text, sizeof text, NULL));
    EXPECT(VIVANT_BAD_HANDLE, vivant_warnings(eve, text, sizeof text, NULL));
    EXPECT(VIVANT_BAD_HANDLE, vivant_performer_another(eve, NULL, &another));
    if (another != 0) printf("a failed call returned a handle\n"), faults++;
    for (uint64_t guess = 0; guess < 64; guess++)
        EXPECT(VIVANT_BAD_HANDLE, vivant_advance(UINT64_C(1) << guess, 1.0));
    EXPECT(VIVANT_BAD_HANDLE, vivant_advance(UINT64_MAX, 1.0));
    EXPECT(VIVANT_OK, vivant_release(0));
}

// Events are kept until the buffer is large enough.
static void events_wait(vivant_performer eve) {
    static char text[1 << 16];
    size_t size = 0;
    EXPECT(VIVANT_OK, vivant_tell(eve, "{\"say\": \"Hello [flips] there.\"}", NULL));
    EXPECT(VIVANT_BAD_SIZE, vivant_events(eve, text, 1, &size));
    EXPECT(VIVANT_OK, vivant_events(eve, text, size, NULL));
    if (!strstr(text, "flips") || strlen(text) + 1 != size) printf("events are “%s”\n", text), faults++;
    EXPECT(VIVANT_OK, vivant_events(eve, text, sizeof text, &size));
    if (size != 1 || text[0] != 0) printf("events come twice\n"), faults++;
}

int main(void) {
    vivant_avatar avatar;
    vivant_motions motions;
    vivant_performer eve;
    make_wrong();
    character_wrong();
    EXPECT(VIVANT_OK, vivant_avatar_of_bones(BONES, &avatar));
    file_wrong(avatar);
    EXPECT(VIVANT_OK, vivant_motions_none(&motions));
    EXPECT(VIVANT_BAD_HANDLE, vivant_performer_new(motions, avatar, NULL, &eve));
    SAYS("of another kind");
    EXPECT(VIVANT_BAD_VALUE, vivant_performer_new(avatar, motions, "{\"sed\": 1}", &eve));
    SAYS("role: ");
    EXPECT(VIVANT_NULL, vivant_performer_new(avatar, motions, NULL, NULL));
    EXPECT(VIVANT_OK, vivant_performer_new(avatar, motions, NULL, &eve));
    EXPECT(VIVANT_OK, vivant_release(avatar));
    EXPECT(VIVANT_BAD_HANDLE, vivant_avatar_info(avatar, NULL, 0, NULL));
    tell_wrong(eve);
    read_wrong(eve);
    events_wait(eve);
    EXPECT(VIVANT_OK, vivant_release(motions));
    use_after_release(eve);
    if (faults) printf("%d faults\n", faults);
    else printf("every misuse is an error\n");
    return faults != 0;
}
