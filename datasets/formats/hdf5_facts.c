/* Where each code keeps what it says of its snapshot: one table, in which the first place that has
 * a fact counts. */
#ifdef ORR_HAVE_HDF5
#include "datasets/formats/hdf5_common.h"

#include <math.h>
#include <string.h>

#include "error.h"
#include "text.h"

static const double KPC_CM = 3.0856775814913673e21, SUN_G = 1.98840987e33, G_CGS = 6.67430e-8;

static const struct place {
    enum orr_hdf5_fact fact;
    const char *group, *name;
    double unit; /* of the attribute; 0: 1 */
} places[] = {
    /* Gadget-2 and -3, EAGLE; Gadget-4 and AREPO; IllustrisTNG; GIZMO; SWIFT; PKDGRAV3. */
    {ORR_FACT_LENGTH, "/Units", "UnitLength_in_cm", 0},
    {ORR_FACT_LENGTH, "/Parameters", "UnitLength_in_cm", 0},
    {ORR_FACT_LENGTH, "/Header", "UnitLength_in_cm", 0},
    {ORR_FACT_LENGTH, "/Header", "UnitLength_In_CGS", 0},
    {ORR_FACT_LENGTH, "/Units", "Unit length in cgs (U_L)", 0},
    {ORR_FACT_LENGTH, "/Units", "KpcUnit", KPC_CM},
    {ORR_FACT_MASS, "/Units", "UnitMass_in_g", 0},
    {ORR_FACT_MASS, "/Parameters", "UnitMass_in_g", 0},
    {ORR_FACT_MASS, "/Header", "UnitMass_in_g", 0},
    {ORR_FACT_MASS, "/Header", "UnitMass_In_CGS", 0},
    {ORR_FACT_MASS, "/Units", "Unit mass in cgs (U_M)", 0},
    {ORR_FACT_MASS, "/Units", "MsolUnit", SUN_G},
    {ORR_FACT_VELOCITY, "/Units", "UnitVelocity_in_cm_per_s", 0},
    {ORR_FACT_VELOCITY, "/Parameters", "UnitVelocity_in_cm_per_s", 0},
    {ORR_FACT_VELOCITY, "/Header", "UnitVelocity_in_cm_per_s", 0},
    {ORR_FACT_VELOCITY, "/Header", "UnitVelocity_In_CGS", 0},
    {ORR_FACT_VELOCITY, "/Units", "KmPerSecUnit", 1e5},
    {ORR_FACT_TIME_UNIT, "/Units", "Unit time in cgs (U_t)", 0},
    {ORR_FACT_TIME_UNIT, "/Units", "SecUnit", 0},
    /* What the run itself used; 0 means that it follows from the units. */
    {ORR_FACT_GRAVITY, "/Parameters", "GravityConstantInternal", 0},
    {ORR_FACT_GRAVITY, "/Header", "Gravitational_Constant_In_Code_Inits", 0},
    {ORR_FACT_TIME, "/Header", "Time", 0},
    {ORR_FACT_REDSHIFT, "/Header", "Redshift", 0},
    {ORR_FACT_REDSHIFT, "/Cosmology", "Redshift", 0},
    {ORR_FACT_SCALE_FACTOR, "/Cosmology", "Scale-factor", 0},
    {ORR_FACT_SCALE_FACTOR, "/Header", "Scale-factor", 0},
    {ORR_FACT_SCALE_FACTOR, "/Header", "ExpansionFactor", 0},
    {ORR_FACT_COMOVING, "/Parameters", "ComovingIntegrationOn", 0},
    {ORR_FACT_COMOVING, "/Header", "ComovingIntegrationOn", 0},
    {ORR_FACT_COMOVING, "/Cosmology", "Cosmological run", 0},
    {ORR_FACT_OMEGA, "/Header", "Omega0", 0},
    {ORR_FACT_OMEGA, "/Header", "Omega_Matter", 0},
    {ORR_FACT_OMEGA, "/Parameters", "Omega0", 0},
    {ORR_FACT_OMEGA, "/Cosmology", "Omega_m", 0},
    {ORR_FACT_PERIODIC, "/RuntimePars", "PeriodicBoundariesOn", 0},
    {ORR_FACT_PERIODIC, "/Parameters", "PeriodicBoundariesOn", 0},
    {ORR_FACT_PERIODIC, "/Parameters", "InitialConditions:periodic", 0},
    {ORR_FACT_BOX, "/Header", "BoxSize", 0},
    {ORR_FACT_BOX, "/Parameters", "BoxSize", 0},
};
enum { PLACES = sizeof places / sizeof *places, MOST_VALUES = 3 };

const char *const orr_hdf5_facts[ORR_FACTS] = {
    "Time",         "Redshift",         "scale factor",
    "comoving",     "Omega0",           "periodic boundaries",
    "BoxSize",      "unit of length",   "unit of mass",
    "unit of time", "unit of velocity", "constant of gravity"};

int orr_hdf5_attribute(hid_t file, const char *path, const char *group, const char *name,
                       hid_t type, hssize_t most, void *out)
{
    if (H5Lexists(file, group, H5P_DEFAULT) <= 0 ||
        H5Aexists_by_name(file, group, name, H5P_DEFAULT) <= 0)
        return 0;
    hid_t attribute = H5Aopen_by_name(file, group, name, H5P_DEFAULT, H5P_DEFAULT);
    hid_t space = attribute < 0 ? -1 : H5Aget_space(attribute);
    hssize_t length = space < 0 ? -1 : H5Sget_simple_extent_npoints(space);
    int code = (int)length;
    if (length == 0 || length > most)
        code = orr_fail(ORR_EINPUT, "%s: attribute %s of %s has %lld values, not 1 to %lld", path,
                        name, group, (long long)length, (long long)most);
    else if (length < 0 || H5Aread(attribute, type, out) < 0)
        code = orr_fail(ORR_EINPUT, "%s: cannot read attribute %s of %s: %s", path, name, group,
                        orr_hdf5_reason());
    if (space >= 0)
        H5Sclose(space);
    if (attribute >= 0)
        H5Aclose(attribute);
    return code;
}

/* SWIFT keeps its parameters as texts. */
static int read_text(hid_t file, const struct place *p, double *value)
{
    char text[64] = "";
    hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, sizeof text - 1);
    int count = orr_hdf5_attribute(file, "", p->group, p->name, type, 1, text);
    H5Tclose(type);
    return count == 1 && orr_text_number(text, value);
}

/* What only units and notes depend on may have any form: what is no number says nothing. */
void orr_hdf5_read_facts(hid_t file, const char *path, double facts[ORR_FACTS])
{
    for (int f = 0; f < ORR_FACTS; f++)
        facts[f] = NAN;
    for (const struct place *p = places; p < places + PLACES; p++) {
        double values[MOST_VALUES], value = -INFINITY;
        if (!isnan(facts[p->fact]))
            continue;
        int count = orr_hdf5_attribute(file, path, p->group, p->name, H5T_NATIVE_DOUBLE,
                                       MOST_VALUES, values);
        if (count < 0)
            count = read_text(file, p, values);
        for (int k = 0; k < count; k++)
            value = fmax(value, values[k] * (p->unit > 0 ? p->unit : 1));
        bool is_unit = p->fact >= ORR_FACT_LENGTH;
        if (isfinite(value) && (!is_unit || value > 0))
            facts[p->fact] = value;
    }
    if (isnan(facts[ORR_FACT_VELOCITY]))
        facts[ORR_FACT_VELOCITY] = facts[ORR_FACT_LENGTH] / facts[ORR_FACT_TIME_UNIT];
    orr_error_clear();
}

double orr_hdf5_gravity(const double facts[ORR_FACTS])
{
    const double velocity = facts[ORR_FACT_VELOCITY],
                 computed =
                     G_CGS * facts[ORR_FACT_MASS] / (facts[ORR_FACT_LENGTH] * velocity * velocity),
                 own = facts[ORR_FACT_GRAVITY];
    return own > 0 ? own : isfinite(computed) ? computed : 0;
}

double orr_hdf5_expansion(const double facts[ORR_FACTS])
{
    const double time = facts[ORR_FACT_TIME], scale = facts[ORR_FACT_SCALE_FACTOR],
                 from = 1 / (1 + facts[ORR_FACT_REDSHIFT]);
    if (facts[ORR_FACT_COMOVING] > 0)
        return scale > 0 ? scale : time > 0 ? time : 0;
    if (isnan(facts[ORR_FACT_COMOVING]) && scale > 0 && (scale < 1 || scale > 1))
        return scale;
    if (facts[ORR_FACT_COMOVING] <= 0 || !(facts[ORR_FACT_OMEGA] > 0))
        return 0;
    /* Of old files, which do not say: Time is the scale factor that belongs to Redshift. */
    return fabs(scale / from - 1) < 1e-3 ? scale : fabs(time / from - 1) < 1e-3 ? time : 0;
}
#else
typedef int orr_no_hdf5; /* a translation unit must declare something */
#endif
