// Writes the rows that a store writes for the calls of `CallSeries`, with the same statements, into existing tables: the cost
// of SQLite by itself. `bench-store-c FILE CALLS [bodies]` prints the microseconds of CPU per call as JSON.
#include <math.h>
#include <openssl/evp.h>
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <zlib.h>

// The number of calls in one transaction: a store takes 2,000 entries, and each call has three.
enum { BATCH = 667, COLUMNS = 39, BODY = 2000, BODIES = 5000 };

struct call {
    uint64_t high, low;
    int64_t started, took;
    int outcome, operation, host, isPost;
    char url[160];
    int length;
    char name[16], hostName[32], remote[32];
};

struct total {
    int64_t hour, operation, host, bucket;
    int64_t sums[10];
};

struct name {
    char text[48];
    int64_t id;
};

static sqlite3 *database;
static struct name names[256];
static struct total totals[1024];
static char *bodies[BODIES];

static void fail(const char *what) {
    printf("bench-store-c: %s: %s\n", what, sqlite3_errmsg(database));
    exit(1);
}

static sqlite3_stmt *prepare(const char *sql) {
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v3(database, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL) != SQLITE_OK) fail(sql);
    return statement;
}

static void run(sqlite3_stmt *statement) {
    if (sqlite3_step(statement) != SQLITE_DONE) fail(sqlite3_sql(statement));
    sqlite3_reset(statement);
}

static double cpu(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return now.tv_sec * 1e6 + now.tv_nsec / 1e3;
}

static uint64_t mix(uint64_t number) {
    uint64_t value = number + 0x9e3779b97f4a7c15;
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
    value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
    return value ^ (value >> 31);
}

static struct call make(long number, double start, double step) {
    struct call call = {0};
    uint64_t bits = mix((uint64_t)number);
    double date = start + (double)number * step;
    call.high = (uint64_t)(date * 1000) << 16 | 0x7000;
    call.low = bits;
    call.started = (int64_t)(date * 1e6);
    call.operation = (int)(bits % 40);
    call.host = call.operation % 5;
    call.length = snprintf(call.url, sizeof call.url,
                           "https://api%d.example.com/v1/customers/%d/orders/%ld?page=%d&sort=created&expand=items,totals",
                           call.host, 10000 + (int)((bits >> 8) % 90000), 1000000 + number, (int)((bits >> 40) % 10));
    call.isPost = (bits >> 20) % 20 >= 16;
    call.took = (int64_t)(2000 + (bits >> 28) % 98000) * ((bits >> 24) % 50 == 0 ? 10 : 1);
    int ending = (int)((bits >> 32) % 100);
    call.outcome = ending < 3 ? 2 : ending < 5 ? 3 : 1;
    snprintf(call.name, sizeof call.name, "operation%d", call.operation);
    snprintf(call.hostName, sizeof call.hostName, "api%d.example.com", call.host);
    snprintf(call.remote, sizeof call.remote, "10.0.0.%d:443", call.host);
    return call;
}

// Returns the number of a text, and caches it.
static int64_t nameID(sqlite3_stmt *find, sqlite3_stmt *insert, const char *text) {
    unsigned hash = 5381;
    for (const char *byte = text; *byte; byte++) hash = hash * 33 + (unsigned char)*byte;
    struct name *name;
    for (;; hash++) {
        name = &names[hash % 256];
        if (name->id == 0) break;
        if (strcmp(name->text, text) == 0) return name->id;
    }
    sqlite3_bind_text(insert, 1, text, -1, SQLITE_TRANSIENT);
    run(insert);
    sqlite3_bind_text(find, 1, text, -1, SQLITE_TRANSIENT);
    if (sqlite3_step(find) != SQLITE_ROW) fail("a name");
    name->id = sqlite3_column_int64(find, 0);
    sqlite3_reset(find);
    snprintf(name->text, sizeof name->text, "%s", text);
    return name->id;
}

static void addTotal(const struct call *call, int64_t operation, int64_t host) {
    int64_t hour = call->started / 3600000000, bucket = (int64_t)(log((double)call->took) / log(1.1));
    unsigned hash = (unsigned)(operation * 31 + host * 17 + bucket * 131 + hour) % 1024;
    while (totals[hash].sums[0] && (totals[hash].hour != hour || totals[hash].operation != operation ||
                                    totals[hash].host != host || totals[hash].bucket != bucket))
        hash = (hash + 1) % 1024;
    struct total *total = &totals[hash];
    if (total->sums[0] == 0)
        *total = (struct total){.hour = hour, .operation = operation, .host = host, .bucket = bucket};
    total->sums[0]++;
    total->sums[call->outcome]++;
    total->sums[6]++;
    total->sums[7]++;
    total->sums[9] += BODY;
}

static void writeTotals(sqlite3_stmt *statement) {
    for (int index = 0; index < 1024; index++) {
        struct total *total = &totals[index];
        if (total->sums[0] == 0) continue;
        int64_t keys[] = {total->hour, total->operation, total->host, 1, total->bucket};
        for (int key = 0; key < 5; key++) sqlite3_bind_int64(statement, key + 1, keys[key]);
        for (int sum = 0; sum < 10; sum++) sqlite3_bind_int64(statement, sum + 6, total->sums[sum]);
        run(statement);
    }
    memset(totals, 0, sizeof totals);
}

static void makeBodies(void) {
    for (int number = 0; number < BODIES; number++) {
        char *text = malloc(BODY + 200);
        int length = sprintf(text, "{\"items\":[");
        while (length < BODY - 80) {
            uint64_t bits = mix((uint64_t)number * 1000 + (uint64_t)length);
            length += sprintf(text + length, "{\"id\":%d,\"name\":\"item %d\",\"price\":%d.5,\"isOpen\":true},",
                              (int)(bits % 100000), (int)((bits >> 20) % 5000), (int)((bits >> 40) % 900));
        }
        sprintf(text + length, "{\"id\":%d}]}", number);
        bodies[number] = text;
    }
}

struct bodyStatements {
    sqlite3_stmt *body, *capture;
};

// Stores a body by its hash, as a gzip stream, and the other data captured with it.
static void writeBody(struct bodyStatements statements, const unsigned char *id, const char *text, const char *path) {
    unsigned char hash[32], packed[BODY + 400];
    unsigned size = 0, length = (unsigned)strlen(text);
    EVP_Digest(text, length, hash, &size, EVP_sha256(), NULL);
    z_stream stream = {0};
    if (deflateInit2(&stream, 1, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY) != Z_OK) fail("zlib");
    stream.next_in = (Bytef *)text;
    stream.avail_in = length;
    stream.next_out = packed;
    stream.avail_out = sizeof packed;
    if (deflate(&stream, Z_FINISH) != Z_STREAM_END) fail("zlib");
    int packedSize = (int)stream.total_out;
    deflateEnd(&stream);
    sqlite3_bind_blob(statements.body, 1, hash, 32, SQLITE_TRANSIENT);
    sqlite3_bind_int64(statements.body, 2, length);
    sqlite3_bind_int64(statements.body, 3, 1);
    sqlite3_bind_blob(statements.body, 4, packed, packedSize, SQLITE_TRANSIENT);
    if (sqlite3_step(statements.body) != SQLITE_ROW) fail("a body");
    int64_t body = sqlite3_column_int64(statements.body, 0);
    sqlite3_reset(statements.body);
    sqlite3_stmt *capture = statements.capture;
    sqlite3_bind_blob(capture, 1, id, 16, SQLITE_TRANSIENT);
    sqlite3_bind_int64(capture, 2, 1);
    sqlite3_bind_int64(capture, 3, 200);
    sqlite3_bind_text(capture, 4, path, -1, SQLITE_TRANSIENT);
    sqlite3_bind_text(capture, 8, "content-type: application/json", -1, SQLITE_TRANSIENT);
    sqlite3_bind_int64(capture, 9, body);
    sqlite3_bind_int64(capture, 10, length);
    sqlite3_bind_int64(capture, 11, 0);
    run(capture);
}

int main(int count, char **words) {
    if (count < 3) return 2;
    long calls = atol(words[2]);
    int hasBodies = count > 3;
    if (sqlite3_open(words[1], &database) != SQLITE_OK) fail("open");
    sqlite3_exec(database,
                 "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON;"
                 "PRAGMA journal_size_limit = 8388608; PRAGMA temp_store = MEMORY",
                 NULL, NULL, NULL);
    if (hasBodies) makeBodies();
    sqlite3_stmt *item = prepare(
        "INSERT INTO net_item (uid, kind, run, started_at, duration_us, outcome, status, method, operation, name, tags, host, url,"
        " error, phase, message, attempts, retries, cache, cache_reason, request_bytes, response_bytes, request_type,"
        " response_type, attempt_start_us, attempt_us, queued_us, lookup_us, connect_us, secure_us, waiting_us, download_us,"
        " version, is_reused, remote, trace, owner, level, detail) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,"
        " ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (uid, kind) DO NOTHING");
    sqlite3_stmt *search = prepare("INSERT INTO net_search (rowid, url, message) VALUES (?, ?, ?)");
    sqlite3_stmt *hour = prepare(
        "INSERT INTO net_hour VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (hour, operation, host, run, bucket)"
        " DO UPDATE SET calls = calls + excluded.calls, completed = completed + excluded.completed,"
        " rejected = rejected + excluded.rejected, failed = failed + excluded.failed, cancelled = cancelled + excluded.cancelled,"
        " retried = retried + excluded.retried, reused = reused + excluded.reused, attempts = attempts + excluded.attempts,"
        " request_bytes = request_bytes + excluded.request_bytes, response_bytes = response_bytes + excluded.response_bytes");
    sqlite3_stmt *total = prepare("UPDATE net_total SET items = items + ?");
    sqlite3_stmt *state = prepare("SELECT deletions FROM net_total");
    sqlite3_stmt *written = prepare("UPDATE net_run SET written = ? WHERE id = 1");
    sqlite3_stmt *find = prepare("SELECT id FROM net_name WHERE text = ?");
    sqlite3_stmt *insert = prepare("INSERT INTO net_name (text) VALUES (?) ON CONFLICT (text) DO NOTHING");
    sqlite3_stmt *begin = prepare("BEGIN IMMEDIATE"), *commit = prepare("COMMIT");
    struct bodyStatements bodyStatements = {
        prepare("INSERT INTO net_body (hash, uses, size, is_compressed, data) VALUES (?, 1, ?, ?, ?)"
                " ON CONFLICT (hash) DO UPDATE SET uses = uses + 1 RETURNING id"),
        prepare("INSERT INTO net_capture (call, number, status, request_fields, request_body, request_size, request_is_cut,"
                " response_fields, response_body, response_size, response_is_cut, trailers, pieces)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")};
    static struct call batch[BATCH];
    double start = (double)time(NULL) - 86400, step = 86400.0 / (double)calls, spent = 0;
    for (long first = 0; first < calls; first += BATCH) {
        int size = calls - first < BATCH ? (int)(calls - first) : BATCH;
        for (int index = 0; index < size; index++) batch[index] = make(first + index, start, step);
        double now = cpu();
        run(begin);
        if (sqlite3_step(state) != SQLITE_ROW) fail("net_total");
        sqlite3_reset(state);
        for (int index = 0; index < size; index++) {
            const struct call *call = &batch[index];
            int isFailed = call->outcome == 3;
            uint64_t id[2] = {__builtin_bswap64(call->high), __builtin_bswap64(call->low)};
            const char *message = isFailed ? "the connection was closed before the response" : NULL;
            int64_t operation = nameID(find, insert, call->name), host = nameID(find, insert, call->hostName);
            for (int column = 1; column <= COLUMNS; column++) sqlite3_bind_null(item, column);
            sqlite3_bind_blob(item, 1, id, 16, SQLITE_TRANSIENT);
            sqlite3_bind_int64(item, 2, 1);
            sqlite3_bind_int64(item, 3, 1);
            sqlite3_bind_int64(item, 4, call->started);
            sqlite3_bind_int64(item, 5, call->took);
            sqlite3_bind_int64(item, 6, call->outcome);
            if (!isFailed) sqlite3_bind_int64(item, 7, call->outcome == 1 ? 200 : 503);
            sqlite3_bind_int64(item, 8, nameID(find, insert, call->isPost ? "POST" : "GET"));
            sqlite3_bind_int64(item, 9, operation);
            sqlite3_bind_int64(item, 12, host);
            sqlite3_bind_text(item, 13, call->url, call->length, SQLITE_TRANSIENT);
            if (isFailed) {
                sqlite3_bind_int64(item, 14, nameID(find, insert, "connectionLost"));
                sqlite3_bind_int64(item, 15, nameID(find, insert, "receiving"));
                sqlite3_bind_text(item, 16, message, -1, SQLITE_TRANSIENT);
            }
            sqlite3_bind_int64(item, 17, 1);
            sqlite3_bind_int64(item, 21, 0);
            sqlite3_bind_int64(item, 22, BODY);
            if (hasBodies) sqlite3_bind_int64(item, 24, nameID(find, insert, "application/json"));
            sqlite3_bind_int64(item, 26, call->took);
            sqlite3_bind_int64(item, 27, 20);
            sqlite3_bind_int64(item, 31, call->took - 700);
            sqlite3_bind_int64(item, 32, 500);
            sqlite3_bind_int64(item, 33, nameID(find, insert, "2"));
            sqlite3_bind_int64(item, 34, 1);
            sqlite3_bind_int64(item, 35, nameID(find, insert, call->remote));
            run(item);
            sqlite3_bind_int64(search, 1, sqlite3_last_insert_rowid(database));
            sqlite3_bind_text(search, 2, call->url, call->length, SQLITE_TRANSIENT);
            if (message) sqlite3_bind_text(search, 3, message, -1, SQLITE_TRANSIENT);
            else sqlite3_bind_null(search, 3);
            run(search);
            if (hasBodies)
                writeBody(bodyStatements, (const unsigned char *)id, bodies[call->low % BODIES],
                          "accept: application/json\nuser-agent: bench");
            addTotal(call, operation, host);
        }
        sqlite3_bind_int64(total, 1, size);
        run(total);
        writeTotals(hour);
        sqlite3_bind_int64(written, 1, (first + size) * 3);
        run(written);
        run(commit);
        spent += cpu() - now;
    }
    sqlite3_wal_checkpoint_v2(database, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
    struct stat information;
    if (stat(words[1], &information) != 0) fail("stat");
    printf("{\"writer\": %.4f, \"bytes\": %.2f}\n", spent / (double)calls, (double)information.st_size / (double)calls);
    return 0;
}
