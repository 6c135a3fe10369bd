// The floor of many small files: two threads write files of the given sizes, flush and rename each,
// and flush the folder.
//
//   bench-download-flush FOLDER COUNT SEED FLUSHES
//
// With FLUSHES 0, nothing is flushed. The sizes are those of Downloads/server.py.
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LARGEST = 20000 };

static struct {
    int folder, count, flushes, next;
    uint32_t seed;
    pthread_mutex_t lock;
} job = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void die(const char *what) {
    perror(what);
    exit(1);
}

static int size_of(int number) { return 1000 + (int)((job.seed + (uint32_t)number * 7919u) % (LARGEST - 1000)); }

static void write_file(int number, const char *bytes) {
    char part[32], name[32];
    snprintf(part, sizeof part, "%d.part", number);
    snprintf(name, sizeof name, "%d", number);
    int file = openat(job.folder, part, O_CREAT | O_WRONLY | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0) die("open");
    int size = size_of(number);
    if (write(file, bytes, (size_t)size) != size) die("write");
    if (job.flushes && fdatasync(file) != 0) die("fdatasync");
    if (close(file) != 0) die("close");
    if (renameat2(job.folder, part, job.folder, name, RENAME_NOREPLACE) != 0) die("rename");
    if (job.flushes && fsync(job.folder) != 0) die("fsync");
}

static void *work(void *unused) {
    static char bytes[LARGEST];
    (void)unused;
    for (;;) {
        pthread_mutex_lock(&job.lock);
        int number = job.next++;
        pthread_mutex_unlock(&job.lock);
        if (number >= job.count) return NULL;
        write_file(number, bytes);
    }
}

int main(int argc, char **argv) {
    if (argc != 5) return 2;
    job.folder = open(argv[1], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (job.folder < 0) die(argv[1]);
    job.count = atoi(argv[2]);
    job.seed = (uint32_t)atoi(argv[3]);
    job.flushes = atoi(argv[4]);
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        if (pthread_create(&threads[i], NULL, work, NULL) != 0) die("thread");
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    return 0;
}
