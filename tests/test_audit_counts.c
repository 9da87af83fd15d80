/* The audit over counted cells of an invented journal: counts against formulas, the four
 * situations, counters brought from outside, and printed ratios against printed times. */
#include <math.h>

#include "audit_for_tests.h"
#include "claims_for_tests.h"

#include "audit/audit.h"
#include "audit/hardware.h"
#include "audit/situation.h"
#include "datasets/boxes.h"

enum { KERNELS_SIZE = 200, COUNTS_SIZE = 1600 };

/* Counts of the algorithms as described, worked out here; one write too many in the neighbour boxes
 * where asked for. */
static const char *counts_of(char out[COUNTS_SIZE], bool third_law, long long P, int off)
{
    const long long N = P << 14, B = (long long)orr_boxes_neighbours(7), own = N * (P - 1),
                    near = B * P * P;
    char kernels[KERNELS_SIZE];
    snprintf(kernels, sizeof kernels, ",\"kernels\":[{\"name\":\"%s\"}]",
             third_law ? "shan_n3l" : "shan_bpb");
    if (third_law)
        snprintf(out, COUNTS_SIZE,
                 "%s,\"counts\":{\"Father "
                 "box\":{\"GR\":%lld,\"SR\":%lld,\"SW\":%lld,\"RW\":%lld,\"CP\":%lld,\"AS\":%lld,"
                 "\"AG\":%lld},\"Neighbor "
                 "box\":{\"GR\":%lld,\"SR\":%lld,\"SW\":%lld,\"RW\":%lld,\"CP\":%lld,\"AS\":%lld,"
                 "\"AG\":%lld},\"Return d_acc\":{\"RR\":%lld,\"AG\":%lld}}",
                 kernels, 3 * N, 3 * own / 2 + 2 * N, 5 * N, own, own / 2, own, 2 * N,
                 3 * B * P / 2, 3 * near / 2 + B * P, 5 * B * P / 2 + off, near, near / 2, near,
                 B * P, 2 * N, 2 * N);
    else
        snprintf(out, COUNTS_SIZE,
                 "%s,\"counts\":{\"Father "
                 "box\":{\"GR\":%lld,\"SR\":%lld,\"SW\":%lld,\"RW\":%lld,\"CP\":%lld},"
                 "\"Neighbor "
                 "box\":{\"GR\":%lld,\"SR\":%lld,\"SW\":%lld,\"RW\":%lld,\"CP\":%lld},\"Return "
                 "d_acc\":{\"GW\":"
                 "%lld,\"RR\":%lld}}",
                 kernels, 3 * N, 3 * own, 3 * N, 2 * own, own, 3 * B * P, 3 * near, 3 * B * P + off,
                 2 * near, near, 2 * N, 2 * N);
    return out;
}

static void invent(struct invented *in, const char *device, int P, double before, double after,
                   int off)
{
    char counts[COUNTS_SIZE];
    add(in, "shan/table1", "shan/bpb", device, P, before, "", counts_of(counts, false, P, 0));
    add(in, "shan/table1", "shan/bpb-n3l", device, P, after, "", counts_of(counts, true, P, off));
}

static void counts_stand_beside_formulas(void **state)
{
    (void)state;
    struct invented in;
    int P = 1 + (int)random_below(500), off = 1 + (int)random_below(1000);
    start(&in, "m");
    invent(&in, "cuda:0", P, 2, 1, 0);
    invent(&in, "cuda:0", P + 1, 2, 1, 0);
    invent(&in, "opencl:0.0", P, 2, 1, off);
    load(&in);
    for (int twice = 0; twice < 2; twice++) /* filling again changes nothing */
        assert_int_equal(orr_audit_fill(&in.ledger, shan), 0);
#define ITEM(columns, item) "SELECT " columns " FROM audit_finding WHERE item = '" item "'"
    assert_text(&in.ledger, ITEM("agrees || ' ' || derived", "counts of bpb on m, cuda:0"),
                "1 24 of 24 counted so, in 2 cells");
    assert_text(&in.ledger, ITEM("agrees || ' ' || derived", "counts of bpb-n3l on m, cuda:0"),
                "1 28 of 28 counted so, in 2 cells");
    assert_text(&in.ledger, ITEM("agrees || ' ' || derived", "counts of bpb-n3l on m, opencl:0.0"),
                "0 13 of 14 counted so, in 1 cell");
    assert_text(&in.ledger, ITEM("count(*)", "shared memory"), "1");
    assert_text(&in.ledger, ITEM("agrees || ' ' || (printed IS NULL)", "CP of bpb"), "0 1");
#undef ITEM
    orr_ledger_close(&in.ledger);
}

/* --- situations --- */

static void the_four_situations(void **state)
{
    (void)state;
    assert_int_equal(orr_situation_number(-1, 1), 1);
    assert_int_equal(orr_situation_number(-1, 0), 2);
    assert_int_equal(orr_situation_number(-1, -1), 2);
    assert_int_equal(orr_situation_number(1, -1), 3);
    assert_int_equal(orr_situation_number(1, 0), 4);
    assert_int_equal(orr_situation_number(1, 1), 4);
    for (int access = -1; access <= 1; access++)
        assert_int_equal(orr_situation_number(0, access), 0);
    for (int k = 0; k < 200;
         k++) { /* what is 1 one way is 3 the other, and both are called better */
        long long computation = random_below(200) - 100, access = random_below(200) - 100;
        int there = orr_situation_number(computation, access),
            back = orr_situation_number(-computation, -access);
        assert_int_equal(there == 1, back == 3);
        if (there == 1)
            assert_int_equal(orr_situation_predicts(there) + orr_situation_predicts(back), 2);
        if (there == 2 && access)
            assert_int_equal(back, 4);
    }
}

static void measured_changes_are_judged(void **state)
{
    (void)state;
    struct invented in;
    double before = 1 + (double)random_below(100),
           after = before / (1.2 + (double)random_below(10));
    start(&in, "m");
    invent(&in, "cuda:0", 64, before, after, 0);
    invent(&in, "cuda:0", 1, after, before, 0);
    invent(&in, "opencl:0.0", 64, before, before, 0);
    load(&in);
    assert_int_equal(orr_audit_fill(&in.ledger, shan), 0);
#define ROW(columns, a, b, device, P)                                       \
    "SELECT " columns " FROM audit_situation WHERE a = '" a "' AND b = '" b \
    "' AND device = '" device "' AND per_box = " P                          \
    " AND level = 7 AND machine = 'm' AND dataset = 'uniform-boxes'"
#define SAYS "situation || ' ' || predicts || ' ' || coalesce(agrees, 'NULL')"
    assert_text(&in.ledger, ROW(SAYS, "bpb", "bpb-n3l", "cuda:0", "64"), "2 better 1");
    assert_text(&in.ledger, ROW(SAYS, "bpb-n3l", "bpb", "cuda:0", "64"), "4 worse 1");
    assert_text(&in.ledger, ROW(SAYS, "bpb", "bpb-n3l", "cuda:0", "1"), "2 better 0");
    assert_text(&in.ledger, ROW(SAYS, "bpb-n3l", "bpb", "cuda:0", "1"), "4 worse 0");
    assert_text(&in.ledger, ROW(SAYS, "bpb", "bpb-n3l", "opencl:0.0", "64"), "2 better NULL");
    assert_text(&in.ledger, "SELECT count(*) FROM audit_situation", "6");
    const double ratio = number(&in.ledger, ROW("ratio", "bpb", "bpb-n3l", "cuda:0", "64"));
    assert_true(fabs(ratio - before / after) < 1e-9 * before / after);
    assert_text(&in.ledger,
                ROW("ratio_low <= ratio AND ratio <= ratio_high", "bpb", "bpb-n3l", "cuda:0", "64"),
                "1");
    orr_ledger_close(&in.ledger);
}

/* The levels of memory disagree at P = 1: shared memory alone makes it situation 1. */
static void every_reading_is_judged(void **state)
{
    (void)state;
    struct invented in;
    struct orr_counted_set set;
    struct orr_situation s;
    start(&in, "m");
    invent(&in, "cuda:0", 1, 2, 1, 0);
    load(&in);
    assert_int_equal(orr_counted_load(&set, &in.ledger, "shan", NULL, NULL), 0);
    assert_int_equal(set.count, 2);
    assert_int_equal(orr_situation_judge(&s, &in.ledger, &set.items[0], &set.items[1]), 0);
    assert_string_equal(s.a->variant, "bpb");
    const struct orr_judgement *once = s.by[ORR_ATOMIC_WRITES],
                               *both = s.by[ORR_ATOMIC_READS_AND_WRITES];
    assert_int_equal(once[ORR_MEMORY_SHARED].after - once[ORR_MEMORY_SHARED].before, 65536);
    assert_int_equal(once[ORR_MEMORY_GLOBAL].after - once[ORR_MEMORY_GLOBAL].before, -32002);
    assert_int_equal(both[ORR_MEMORY_SHARED].after - both[ORR_MEMORY_SHARED].before,
                     72962 + 122114);
    assert_int_equal(once[ORR_MEMORY_REGISTER].situation, 2);
    assert_int_equal(once[ORR_MEMORY_SHARED].situation, 1);
    assert_int_equal(both[ORR_MEMORY_TOTAL].situation, 1);
    assert_int_equal(s.situation, 2);
    assert_false(s.one);
    assert_true(s.certain);
    orr_counted_release(&set);
    orr_ledger_close(&in.ledger);
}

/* --- counters --- */

static int read_counters(struct orr_ledger *ledger, const char *text)
{
    char path[] = "/tmp/orrery-counters-XXXXXX";
    FILE *file = fdopen(mkstemp(path), "w");
    fputs(text, file);
    fclose(file);
    int code = orr_hardware_read(ledger, path);
    unlink(path);
    return code;
}

#define LD(memory) "smsp__sass_data_bytes_mem_" memory "_op_ld.sum"
#define ST(memory) "smsp__sass_data_bytes_mem_" memory "_op_st.sum"

static void counters_of_a_metric_a_line(void **state)
{
    (void)state;
    struct invented in;
    int64_t words[ORR_ACCESS_KINDS];
    start(&in, "m");
    invent(&in, "cuda:0", 8, 2, 1, 0);
    load(&in);
    assert_int_equal(orr_hardware_words(words, &in.ledger, 1), 0); /* nothing was read yet */
    assert_int_equal(
        read_counters(&in.ledger,
                      "==PROF== Connected to process 12\n"
                      "\"ID\",\"Kernel Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n"
                      "\"0\",\"shan_bpb(float4 *, int)\",\"" LD(
                          "shared") "\",\"byte\",\"4,000,000,000\"\n"
                                    "\"1\",\"shan_bpb(float4 *, int)\",\"" LD(
                                        "shared") "\",\"byte\",\"4,000,000,400\"\n"
                                                  "\"0\",\"shan_bpb\",\"" ST(
                                                      "global") "\",\"Kbyte\",\"1.6\"\n"
                                                                "\"0\",\"shan_bpb\",\"something "
                                                                "else\",\"%\",\"99\"\n"),
        0);
    assert_int_equal(orr_hardware_check(&in.ledger, "shan/table1", "f.csv"), 0);
    assert_int_equal(orr_hardware_words(words, &in.ledger, 1), 1);
    assert_int_equal(words[ORR_SR], 1000000000);
    assert_int_equal(words[ORR_GW], 400);
    assert_int_equal(words[ORR_GR], -1);
    assert_int_equal(orr_hardware_words(words, &in.ledger, 2),
                     0); /* the other variant has another kernel */
    orr_ledger_close(&in.ledger);
}

static void counters_of_a_kernel_a_line(void **state)
{
    (void)state;
    struct invented in;
    int64_t words[ORR_ACCESS_KINDS];
    start(&in, "m");
    invent(&in, "cuda:0", 8, 2, 1, 0);
    invent(&in, "cuda:0", 16, 2, 1, 0);
    load(&in);
    assert_int_equal(
        read_counters(&in.ledger,
                      "ID,Kernel Name," LD("global") "," ST(
                          "shared") ",x\n"
                                    ",,byte,Mbyte,%\n0,shan_n3l,1024,2,7\n0,other,8,8,8\n"),
        0);
    assert_int_equal(orr_hardware_words(words, &in.ledger, 2), 1);
    assert_int_equal(words[ORR_GR], 256);
    assert_int_equal(words[ORR_SW], 500000);
    assert_int_equal(orr_hardware_check(&in.ledger, "shan/table1", "f.csv"), ORR_EUSAGE);
    assert_says("shan_n3l of f.csv ran in 2 cells");
    assert_int_equal(orr_hardware_check(&in.ledger, "shan/table2", "f.csv"), ORR_EUSAGE);
    assert_says("no kernel of f.csv ran on a CUDA device");
    orr_ledger_close(&in.ledger);
}

static void counters_that_are_none(void **state)
{
    (void)state;
    struct orr_ledger ledger;
    assert_int_equal(orr_ledger_open(&ledger), 0);
    assert_int_equal(orr_hardware_read(&ledger, "/no/such/file"), ORR_EIO);
    assert_says("/no/such/file");
    assert_int_equal(read_counters(&ledger, "a,b\n1,2\n"), ORR_EINPUT);
    assert_says("no column 'Kernel Name'");
    assert_int_equal(read_counters(&ledger, "Kernel Name,Metric Name,Metric Value\nk,x,1\n"),
                     ORR_EINPUT);
    assert_says("has one of the metrics");
    assert_int_equal(
        read_counters(&ledger, "Kernel Name,Metric Name,Metric Value\nk," LD("shared") ",n/a\n"),
        ORR_EINPUT);
    assert_says(":2: 'n/a' is no number of bytes");
    assert_int_equal(
        read_counters(&ledger, "Kernel Name,Metric Name,Metric Unit,Metric Value\nk," LD(
                                   "shared") ",inst,5\n"),
        ORR_EINPUT);
    assert_says("not in bytes");
    assert_int_equal(
        read_counters(&ledger, "Kernel Name,Metric Name,Metric Value\nk," LD("shared") "\n"),
        ORR_EINPUT);
    assert_says(":2: 2 fields instead of 3");
    orr_ledger_close(&ledger);
}

/* --- printed ratios --- */

/* Times and their ratio with `digits` decimals, and a highest one in the text. */
static void print_ratios(struct orr_ledger *ledger, double wrong, const char *highest)
{
    char path[] = "/tmp/orrery-published-XXXXXX";
    FILE *file = fdopen(mkstemp(path), "w");
    fputs("experiment,variant,dataset,n,quantity,value,unit,device,includes,erratum\n", file);
    double most = 0;
    for (int k = 0; k < 5; k++) {
        double own = 1 + (double)random_below(1000) / 1000,
               over = own * (2 + k + (double)random_below(100) / 100);
        double ratio = over / own + (k == 2 ? wrong : 0);
        fprintf(file, "shan/table3,serial,uniform-boxes,%d,seconds,%.4f,s,x,,\n", 100 + k, over);
        fprintf(file, "shan/table3,bpb,uniform-boxes,%d,seconds,%.4f,s,x,,\n", 100 + k, own);
        fprintf(file, "shan/table3,bpb,uniform-boxes,%d,ratio/serial,%.2f,1,x,,\n", 100 + k, ratio);
        most = fmax(most, ratio);
    }
    if (*highest)
        fprintf(file, "shan/table3,bpb,,,ratio_max/serial,%s,1,x,the introduction,\n", highest);
    else
        fprintf(file, "shan/table3,bpb,,,ratio_max/serial,%d,1,x,cut off,\n", (int)most);
    fclose(file);
    if (orr_ledger_add_published_file(ledger, "shan", path))
        fail_msg("%s", orr_error_text());
    unlink(path);
    assert_int_equal(orr_audit_fill(ledger, shan), 0);
}

static void printed_ratios_follow_from_printed_times_or_not(void **state)
{
    (void)state;
#define FINDING(item) "SELECT agrees || ' ' || derived FROM audit_finding WHERE item = '" item "'"
    struct orr_ledger ledger;
    assert_int_equal(orr_ledger_open(&ledger), 0);
    print_ratios(&ledger, 0, "");
    assert_text(&ledger, FINDING("speedups of bpb over serial"),
                "1 5 of 5 follow from the printed times");
    assert_text(
        &ledger,
        "SELECT agrees FROM audit_finding WHERE item = 'highest speedup of bpb over serial'", "1");
    orr_ledger_close(&ledger);
    assert_int_equal(orr_ledger_open(&ledger), 0);
    print_ratios(&ledger, 0.1, "24.3");
    assert_text(&ledger, FINDING("speedups of bpb over serial"),
                "0 4 of 5 follow from the printed times");
    assert_text(
        &ledger,
        "SELECT agrees FROM audit_finding WHERE item = 'speedup of bpb over serial at N = 102'",
        "0");
    assert_text(&ledger,
                "SELECT agrees || printed FROM audit_finding WHERE item = 'highest speedup of bpb "
                "over serial'",
                "024.3");
    orr_ledger_close(&ledger);
#undef FINDING
}

static void a_paper_without_formulas_is_no_mistake(void **state)
{
    (void)state;
    struct orr_paper *fujiwara;
    struct orr_ledger ledger;
    assert_int_equal(orr_paper_load(&fujiwara, "fujiwara"), 0);
    assert_int_equal(orr_ledger_open(&ledger), 0);
    assert_int_equal(orr_audit_fill(&ledger, fujiwara), 0);
    assert_text(&ledger, "SELECT count(*) FROM audit_finding", "0");
    orr_ledger_close(&ledger);
    orr_paper_free(fujiwara);
}

#define TEST(name) cmocka_unit_test_setup(name, begin)
int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(counts_stand_beside_formulas),
        TEST(the_four_situations),
        TEST(measured_changes_are_judged),
        TEST(every_reading_is_judged),
        TEST(counters_of_a_metric_a_line),
        TEST(counters_of_a_kernel_a_line),
        TEST(counters_that_are_none),
        TEST(printed_ratios_follow_from_printed_times_or_not),
        TEST(a_paper_without_formulas_is_no_mistake),
    };
    print_seed();
    return cmocka_run_group_tests(tests, load_paper, leave_paper);
}
