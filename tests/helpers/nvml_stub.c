/* libnvidia-ml.so.1 for tests: NVML as nvidia-ml-py calls it, told what to say by a file.
 *
 * The environment variable NVML_STUB names a scenario, a text file that is read anew at each
 * call, so that a test changes the hardware in mid-run. A line is `key value`; `#` begins a
 * comment. Without the variable or the file NVML answers DRIVER_NOT_LOADED.
 *
 *   driver 580.95.05          cuda 13000          count 2      (count holds from init to shutdown)
 *   fail.FUNCTION CODE        this function answers CODE (13 stands for: not in this library)
 *   delay.FUNCTION MS         it takes so long
 *   gpuN.fail.FUNCTION CODE   the same for one GPU
 *   gpuN.lost 1               all its calls answer GPU_IS_LOST; and go on to, after this line is
 *                             gone, until NVML is shut down and started again, as for real
 *   gpuN.READING VALUE        `-` for NOT_SUPPORTED; what is left out is as an RTX 3090 says
 *   gpuN.process.PID BYTES    a program that computes; gpuN.graphics.PID, gpuN.mps.PID as well
 *                             (BYTES `-`: the driver does not tell)
 *   process.PID NAME          what NVML itself calls it
 *   gpuN.mig 1                with gpuN.part.K.{name,uuid,total,used} for each part
 *   gpuN.nvlink.L 1           port L is there: 1 in use, 0 not; gpuN.nvlink.L.remote ADDRESS
 *   link.A.B.{topology,read,write,nvlink} VALUE     NVML's numbers; read and write: 3 by default
 *
 * Readings: name uuid bus_id major minor total used reserved free utilisation
 * memory_utilisation power power_limit temperature temperature_limit clock_sm clock_memory
 * clock_sm_max clock_memory_max bus_width throttle pcie_generation pcie_width
 * pcie_max_generation pcie_max_width pcie_rx pcie_tx nvlink_rx nvlink_tx.
 *
 * NVML_STUB_CALLS names a file to which the name of each called function is appended.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define OK 0
#define UNINITIALIZED 1
#define INVALID_ARGUMENT 2
#define NOT_SUPPORTED 3
#define NOT_FOUND 6
#define INSUFFICIENT_SIZE 7
#define DRIVER_NOT_LOADED 9
#define GPU_IS_LOST 15
#define ARGUMENT_VERSION_MISMATCH 25

#define MOST_GPUS 16
#define MOST_PARTS 8
#define LINE 512
#define GIB (1024ULL * 1024 * 1024)
#define NOT_AVAILABLE (~0ULL)
#define API __attribute__((visibility("default")))

typedef unsigned long long u64;
typedef struct { int gpu; int part; } Device; /* part: -1 for the GPU as a whole */

static Device gpus[MOST_GPUS];
static Device parts[MOST_GPUS][MOST_PARTS];
static int started, count, lost[MOST_GPUS];

/* ---- the scenario ---- */

typedef int (*Visitor)(const char *key, const char *value, void *context);

/* Calls `visit` with each line until it answers non-zero; whether the scenario is there. */
static int each_line(Visitor visit, void *context) {
    const char *path = getenv("NVML_STUB");
    FILE *file = path ? fopen(path, "r") : NULL;
    char line[LINE];
    if (!file) return 0;
    while (fgets(line, sizeof line, file)) {
        char *value = line + strcspn(line, " \t\n");
        if (line[0] == '#' || value == line) continue;
        if (*value) *value++ = 0;
        value += strspn(value, " \t");
        value[strcspn(value, "\n")] = 0;
        if (visit(line, value, context)) break;
    }
    fclose(file);
    return 1;
}

typedef struct { const char *key; char *value; int found; } Wanted;

static int match(const char *key, const char *value, void *context) {
    Wanted *wanted = context;
    if (strcmp(key, wanted->key)) return 0;
    snprintf(wanted->value, LINE, "%s", value);
    return wanted->found = 1;
}

static int get(const char *key, char *value) {
    Wanted wanted = {key, value, 0};
    each_line(match, &wanted);
    return wanted.found;
}

static u64 get_number(const char *key, u64 otherwise) {
    char value[LINE];
    return get(key, value) ? strtoull(value, NULL, 0) : otherwise;
}

static int there(void) {
    const char *path = getenv("NVML_STUB");
    FILE *file = path ? fopen(path, "r") : NULL;
    if (file) fclose(file);
    return file != NULL;
}

/* ---- what every call does first ---- */

static int enter(const char *function) {
    char key[LINE];
    const char *log = getenv("NVML_STUB_CALLS");
    if (log) {
        FILE *file = fopen(log, "a");
        if (file) { fprintf(file, "%s\n", function); fclose(file); }
    }
    snprintf(key, sizeof key, "delay.%s", function);
    u64 wait = get_number(key, 0);
    if (wait) {
        struct timespec span = {wait / 1000, wait % 1000 * 1000000};
        nanosleep(&span, NULL);
    }
    snprintf(key, sizeof key, "fail.%s", function);
    return (int)get_number(key, OK);
}

static int enter_started(const char *function) {
    int code = enter(function);
    return code ? code : started ? OK : UNINITIALIZED;
}

static int enter_device(const char *function, const Device *device) {
    char key[LINE];
    int code = enter_started(function);
    if (code) return code;
    if (!device) return INVALID_ARGUMENT;
    snprintf(key, sizeof key, "gpu%d.lost", device->gpu);
    if (get_number(key, 0)) lost[device->gpu] = 1;
    if (lost[device->gpu]) return GPU_IS_LOST;
    snprintf(key, sizeof key, "gpu%d.fail.%s", device->gpu, function);
    return (int)get_number(key, OK);
}

#define ENTER(device) \
    int code = enter_device(__func__, device); \
    if (code) return code

/* ---- readings ---- */

static int text(const Device *device, const char *name, const char *otherwise, char *to,
                unsigned size) {
    char key[LINE], value[LINE];
    snprintf(key, sizeof key, "gpu%d.%s", device->gpu, name);
    if (!get(key, value)) snprintf(value, sizeof value, "%s", otherwise);
    if (!strcmp(value, "-")) return NOT_SUPPORTED;
    if (strlen(value) >= size) return INSUFFICIENT_SIZE;
    strcpy(to, value);
    return OK;
}

static int number(const Device *device, const char *name, u64 otherwise, u64 *to) {
    char value[LINE], fallback[32];
    snprintf(fallback, sizeof fallback, "%llu", otherwise);
    int code = text(device, name, fallback, value, sizeof value);
    if (!code) *to = strtoull(value, NULL, 0);
    return code;
}

static int number32(const Device *device, const char *name, unsigned otherwise, unsigned *to) {
    u64 value = 0;
    int code = number(device, name, otherwise, &value);
    if (!code) *to = (unsigned)value;
    return code;
}

/* ---- the library as a whole ---- */

static int start(const char *function) {
    int code = enter(function);
    if (code) return code;
    if (!there()) return DRIVER_NOT_LOADED;
    if (!started++) {
        count = (int)get_number("count", 1);
        if (count > MOST_GPUS) count = MOST_GPUS;
        memset(lost, 0, sizeof lost);
    }
    return OK;
}

API int nvmlInitWithFlags(unsigned flags) { (void)flags; return start(__func__); }
API int nvmlInit_v2(void) { return start(__func__); }

API int nvmlShutdown(void) {
    int code = enter_started(__func__);
    if (!code) started--;
    return code;
}

API const char *nvmlErrorString(int code) {
    static char words[32];
    snprintf(words, sizeof words, "stub error %d", code);
    return words;
}

static int system_text(const char *function, const char *key, const char *otherwise, char *to,
                       unsigned size) {
    char value[LINE];
    int code = enter_started(function);
    if (code) return code;
    if (!get(key, value)) strcpy(value, otherwise);
    if (strlen(value) >= size) return INSUFFICIENT_SIZE;
    strcpy(to, value);
    return OK;
}

API int nvmlSystemGetDriverVersion(char *to, unsigned size) {
    return system_text(__func__, "driver", "580.95.05", to, size);
}

API int nvmlSystemGetNVMLVersion(char *to, unsigned size) {
    return system_text(__func__, "nvml", "13.580.95.05", to, size);
}

static int cuda_version(const char *function, int *to) {
    int code = enter_started(function);
    if (!code) *to = (int)get_number("cuda", 13000);
    return code;
}

API int nvmlSystemGetCudaDriverVersion(int *to) { return cuda_version(__func__, to); }
API int nvmlSystemGetCudaDriverVersion_v2(int *to) { return cuda_version(__func__, to); }

API int nvmlSystemGetProcessName(unsigned pid, char *to, unsigned size) {
    char key[LINE], value[LINE];
    int code = enter_started(__func__);
    if (code) return code;
    snprintf(key, sizeof key, "process.%u", pid);
    if (!get(key, value)) return NOT_FOUND;
    snprintf(to, size, "%s", value);
    return OK;
}

/* ---- finding GPUs ---- */

API int nvmlDeviceGetCount_v2(unsigned *to) {
    int code = enter_started(__func__);
    if (!code) *to = (unsigned)count;
    return code;
}

API int nvmlDeviceGetHandleByIndex_v2(unsigned index, Device **to) {
    if (index < MOST_GPUS) gpus[index] = (Device){(int)index, -1};
    ENTER(index < (unsigned)count ? &gpus[index] : NULL);
    *to = &gpus[index];
    return OK;
}

API int nvmlDeviceGetIndex(Device *device, unsigned *to) {
    ENTER(device);
    *to = (unsigned)device->gpu;
    return OK;
}

static int part_text(const Device *part, const char *name, const char *otherwise, char *to,
                     unsigned size) {
    char key[64];
    snprintf(key, sizeof key, "part.%d.%s", part->part, name);
    return text(part, key, otherwise, to, size);
}

API int nvmlDeviceGetName(Device *device, char *to, unsigned size) {
    ENTER(device);
    if (device->part >= 0) return part_text(device, "name", "MIG part", to, size);
    return text(device, "name", "NVIDIA GeForce RTX 3090", to, size);
}

API int nvmlDeviceGetUUID(Device *device, char *to, unsigned size) {
    char otherwise[64];
    ENTER(device);
    snprintf(otherwise, sizeof otherwise, "%s-%08d-0000-0000-0000-00000000000%d",
             device->part < 0 ? "GPU" : "MIG", device->gpu, device->part + 1);
    if (device->part >= 0) return part_text(device, "uuid", otherwise, to, size);
    return text(device, "uuid", otherwise, to, size);
}

typedef struct {
    char legacy[16];
    unsigned domain, bus, device, pci_device, pci_subsystem;
    char bus_id[32];
} Pci;

API int nvmlDeviceGetPciInfo_v3(Device *device, Pci *to) {
    char otherwise[32];
    ENTER(device);
    memset(to, 0, sizeof *to);
    snprintf(otherwise, sizeof otherwise, "00000000:%02X:00.0", device->gpu + 1);
    code = text(device, "bus_id", otherwise, to->bus_id, sizeof to->bus_id);
    if (!code) sscanf(to->bus_id, "%x:%x:%x", &to->domain, &to->bus, &to->device);
    return code;
}

API int nvmlDeviceGetCudaComputeCapability(Device *device, int *major, int *minor) {
    u64 first = 0, second = 0;
    ENTER(device);
    code = number(device, "major", 8, &first);
    if (!code) code = number(device, "minor", 6, &second);
    *major = (int)first;
    *minor = (int)second;
    return code;
}

/* ---- memory and load ---- */

typedef struct { u64 total, free, used; } Memory;
typedef struct { unsigned version; u64 total, reserved, free, used; } Memory2;
#define MEMORY2_VERSION 0x02000028U

static int read_memory(const Device *device, Memory2 *memory) {
    int code = number(device, "total", 24 * GIB, &memory->total);
    if (!code) code = number(device, "reserved", 300 * 1024 * 1024, &memory->reserved);
    if (code == NOT_SUPPORTED) return code;
    u64 held = 0;
    if (!code) code = number(device, "used", 500 * 1024 * 1024, &held);
    memory->used = held;
    memory->free = memory->total - memory->used - memory->reserved;
    return code;
}

API int nvmlDeviceGetMemoryInfo(Device *device, Memory *to) {
    Memory2 memory = {0};
    ENTER(device);
    if (device->part >= 0) {
        char total[LINE], used[LINE];
        code = part_text(device, "total", "-", total, sizeof total);
        if (!code) code = part_text(device, "used", "0", used, sizeof used);
        if (code) return code;
        *to = (Memory){strtoull(total, NULL, 0), 0, strtoull(used, NULL, 0)};
        to->free = to->total - to->used;
        return OK;
    }
    code = read_memory(device, &memory);
    /* The first version knows no reserve: it is in what is used. */
    if (!code) *to = (Memory){memory.total, memory.free, memory.used + memory.reserved};
    return code;
}

API int nvmlDeviceGetMemoryInfo_v2(Device *device, Memory2 *to) {
    ENTER(device);
    if (to->version != MEMORY2_VERSION) return ARGUMENT_VERSION_MISMATCH;
    return read_memory(device, to);
}

API int nvmlDeviceGetMemoryBusWidth(Device *device, unsigned *to) {
    ENTER(device);
    return number32(device, "bus_width", 384, to);
}

typedef struct { unsigned gpu, memory; } Rates;

API int nvmlDeviceGetUtilizationRates(Device *device, Rates *to) {
    ENTER(device);
    if (device->part >= 0) return NOT_SUPPORTED;
    code = number32(device, "utilisation", 0, &to->gpu);
    return code ? code : number32(device, "memory_utilisation", 0, &to->memory);
}

/* ---- power, heat, clocks ---- */

API int nvmlDeviceGetPowerUsage(Device *device, unsigned *to) {
    ENTER(device);
    return number32(device, "power", 30000, to);
}

API int nvmlDeviceGetEnforcedPowerLimit(Device *device, unsigned *to) {
    ENTER(device);
    return number32(device, "power_limit", 350000, to);
}

API int nvmlDeviceGetPowerManagementLimit(Device *device, unsigned *to) {
    ENTER(device);
    return number32(device, "power_limit", 350000, to);
}

API int nvmlDeviceGetTemperature(Device *device, int sensor, unsigned *to) {
    ENTER(device);
    (void)sensor;
    return number32(device, "temperature", 40, to);
}

typedef struct { unsigned version; int sensor; int temperature; } Temperature;

API int nvmlDeviceGetTemperatureV(Device *device, Temperature *to) {
    unsigned value = 0;
    ENTER(device);
    code = number32(device, "temperature", 40, &value);
    to->temperature = (int)value;
    return code;
}

API int nvmlDeviceGetTemperatureThreshold(Device *device, int which, unsigned *to) {
    ENTER(device);
    (void)which;
    return number32(device, "temperature_limit", 95, to);
}

API int nvmlDeviceGetClockInfo(Device *device, int which, unsigned *to) {
    ENTER(device);
    if (which == 2) return number32(device, "clock_memory", 405, to);
    return number32(device, "clock_sm", 210, to);
}

API int nvmlDeviceGetMaxClockInfo(Device *device, int which, unsigned *to) {
    ENTER(device);
    if (which == 2) return number32(device, "clock_memory_max", 9751, to);
    return number32(device, "clock_sm_max", 2100, to);
}

API int nvmlDeviceGetCurrentClocksEventReasons(Device *device, u64 *to) {
    ENTER(device);
    return number(device, "throttle", 1, to);
}

API int nvmlDeviceGetCurrentClocksThrottleReasons(Device *device, u64 *to) {
    ENTER(device);
    return number(device, "throttle", 1, to);
}

/* ---- PCIe ---- */

API int nvmlDeviceGetCurrPcieLinkGeneration(Device *device, unsigned *to) {
    ENTER(device);
    return number32(device, "pcie_generation", 4, to);
}

API int nvmlDeviceGetCurrPcieLinkWidth(Device *device, unsigned *to) {
    ENTER(device);
    return number32(device, "pcie_width", 16, to);
}

API int nvmlDeviceGetMaxPcieLinkGeneration(Device *device, unsigned *to) {
    ENTER(device);
    return number32(device, "pcie_max_generation", 4, to);
}

API int nvmlDeviceGetMaxPcieLinkWidth(Device *device, unsigned *to) {
    ENTER(device);
    return number32(device, "pcie_max_width", 16, to);
}

API int nvmlDeviceGetPcieThroughput(Device *device, int counter, unsigned *to) {
    ENTER(device);
    return number32(device, counter == 0 ? "pcie_tx" : "pcie_rx", 0, to);
}

/* ---- links between GPUs ---- */

static int port(const Device *device, unsigned link, unsigned *active) {
    char name[64];
    u64 value = 0;
    snprintf(name, sizeof name, "nvlink.%u", link);
    int code = number(device, name, NOT_AVAILABLE, &value);
    if (code || value == NOT_AVAILABLE) return code ? code : link ? INVALID_ARGUMENT : NOT_SUPPORTED;
    *active = (unsigned)value;
    return OK;
}

API int nvmlDeviceGetNvLinkState(Device *device, unsigned link, unsigned *to) {
    ENTER(device);
    return port(device, link, to);
}

API int nvmlDeviceGetNvLinkVersion(Device *device, unsigned link, unsigned *to) {
    ENTER(device);
    code = port(device, link, to);
    if (!code) *to = 3;
    return code;
}

API int nvmlDeviceGetNvLinkRemotePciInfo_v2(Device *device, unsigned link, Pci *to) {
    char name[64];
    ENTER(device);
    memset(to, 0, sizeof *to);
    snprintf(name, sizeof name, "nvlink.%u.remote", link);
    return text(device, name, "-", to->bus_id, sizeof to->bus_id);
}

typedef struct {
    unsigned field, scope;
    long long timestamp, latency;
    int type, result;
    u64 value;
} Field;

API int nvmlDeviceGetFieldValues(Device *device, int many, Field *fields) {
    ENTER(device);
    for (int i = 0; i < many; i++) {
        const char *name = fields[i].field == 138 ? "nvlink_tx"
                         : fields[i].field == 139 ? "nvlink_rx" : NULL;
        fields[i].type = 3;
        fields[i].result = name ? number(device, name, 0, &fields[i].value) : NOT_SUPPORTED;
    }
    return OK;
}

static int between(const char *function, Device *a, Device *b, const char *name, int otherwise,
                   int *to) {
    char key[LINE];
    int code = enter_device(function, a);
    if (!code && (!b || lost[b->gpu])) code = b ? GPU_IS_LOST : INVALID_ARGUMENT;
    if (code) return code;
    int low = a->gpu < b->gpu ? a->gpu : b->gpu, high = a->gpu < b->gpu ? b->gpu : a->gpu;
    snprintf(key, sizeof key, "link.%d.%d.%s", low, high, name);
    char value[LINE];
    if (get(key, value) && !strcmp(value, "-")) return NOT_SUPPORTED;
    *to = (int)get_number(key, (u64)otherwise);
    return OK;
}

API int nvmlDeviceGetP2PStatus(Device *a, Device *b, int capability, int *to) {
    static const char *const names[] = {"read", "write", "nvlink"};
    if (capability < 0 || capability > 2) return INVALID_ARGUMENT;
    return between(__func__, a, b, names[capability], 3, to);
}

API int nvmlDeviceGetTopologyCommonAncestor(Device *a, Device *b, int *to) {
    return between(__func__, a, b, "topology", 30, to);
}

/* ---- programs ---- */

typedef struct { unsigned pid; u64 used; unsigned gpu_instance, compute_instance; } Process;
typedef struct { char prefix[64]; Process *list; unsigned room, found; } Listing;

static int collect(const char *key, const char *value, void *context) {
    Listing *listing = context;
    size_t length = strlen(listing->prefix);
    if (strncmp(key, listing->prefix, length)) return 0;
    if (listing->list && listing->found < listing->room) {
        listing->list[listing->found] = (Process){
            (unsigned)strtoul(key + length, NULL, 10),
            strcmp(value, "-") ? strtoull(value, NULL, 0) : NOT_AVAILABLE, ~0U, ~0U};
    }
    listing->found++;
    return 0;
}

static int programs(const char *function, const Device *device, const char *kind,
                    unsigned *many, Process *list) {
    Listing listing = {"", list, *many, 0};
    char value[LINE], key[64];
    int code = enter_device(function, device);
    if (code) return code;
    snprintf(key, sizeof key, "gpu%d.%s", device->gpu, kind);
    if (get(key, value) && !strcmp(value, "-")) return NOT_SUPPORTED;
    snprintf(listing.prefix, sizeof listing.prefix, "gpu%d.%s.", device->gpu, kind);
    each_line(collect, &listing);
    *many = listing.found;
    if (listing.found && (!list || listing.room < listing.found)) return INSUFFICIENT_SIZE;
    return OK;
}

#define PROGRAMS(function, kind) \
    API int function(Device *device, unsigned *many, Process *list) { \
        return programs(__func__, device, kind, many, list); \
    }

PROGRAMS(nvmlDeviceGetComputeRunningProcesses_v2, "process")
PROGRAMS(nvmlDeviceGetComputeRunningProcesses_v3, "process")
PROGRAMS(nvmlDeviceGetGraphicsRunningProcesses_v2, "graphics")
PROGRAMS(nvmlDeviceGetGraphicsRunningProcesses_v3, "graphics")
PROGRAMS(nvmlDeviceGetMPSComputeRunningProcesses_v2, "mps")
PROGRAMS(nvmlDeviceGetMPSComputeRunningProcesses_v3, "mps")

/* ---- MIG ---- */

API int nvmlDeviceGetMigMode(Device *device, unsigned *now, unsigned *pending) {
    char value[LINE];
    ENTER(device);
    code = text(device, "mig", "-", value, sizeof value);
    if (!code) *now = *pending = (unsigned)strtoul(value, NULL, 10);
    return code;
}

API int nvmlDeviceGetMaxMigDeviceCount(Device *device, unsigned *to) {
    ENTER(device);
    *to = MOST_PARTS;
    return OK;
}

API int nvmlDeviceGetMigDeviceHandleByIndex(Device *device, unsigned index, Device **to) {
    char total[LINE];
    ENTER(device);
    if (index >= MOST_PARTS) return INVALID_ARGUMENT;
    parts[device->gpu][index] = (Device){device->gpu, (int)index};
    if (part_text(&parts[device->gpu][index], "total", "-", total, sizeof total)) return NOT_FOUND;
    *to = &parts[device->gpu][index];
    return OK;
}
