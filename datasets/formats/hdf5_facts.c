/* SPDX-License-Identifier: MIT */
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
    {ORR_FACT_HUBBLE, "/Header", "HubbleParam", 0},
    {ORR_FACT_PERIODIC, "/RuntimePars", "PeriodicBoundariesOn", 0},
    {ORR_FACT_PERIODIC, "/Parameters", "PeriodicBoundariesOn", 0},
    {ORR_FACT_PERIODIC, "/Parameters", "InitialConditions:periodic", 0},
    {ORR_FACT_BOX, "/Header", "BoxSize", 0},
    {ORR_FACT_BOX, "/Parameters", "BoxSize", 0},
};
enum { PLACES = sizeof places / sizeof *places, MOST_VALUES = ORR_BODY_TYPES };

const char *const orr_hdf5_facts[ORR_FACTS] = {"Time",
                                               "Redshift",
                                               "scale factor",
                                               "comoving",
                                               "Omega0",
                                               "HubbleParam",
                                               "periodic boundaries",
                                               "BoxSize",
                                               "unit of length",
                                               "unit of mass",
                                               "unit of time",
                                               "unit of velocity",
                                               "constant of gravity"};

int orr_hdf5_attribute(hid_t file, const char *path, const char *group, const char *name,
                       hid_t type, hssize_t most, void *out)
{
    if (H5Lexists(file, group, H5P_DEFAULT) <= 0 ||
        H5Aexists_by_name(file, group, name, H5P_DEFAULT) <= 0)
        return 0;
    ORR_HID attribute = H5Aopen_by_name(file, group, name, H5P_DEFAULT, H5P_DEFAULT);
    ORR_HID space = attribute < 0 ? -1 : H5Aget_space(attribute);
    hssize_t length = space < 0 ? -1 : H5Sget_simple_extent_npoints(space);
    int code = (int)length;
    if (length == 0 || length > most)
        code = orr_fail(ORR_EINPUT, "%s: attribute %s of %s has %lld values, not 1 to %lld", path,
                        name, group, (long long)length, (long long)most);
    else if (length < 0 || H5Aread(attribute, type, out) < 0)
        code = orr_fail(ORR_EINPUT, "%s: cannot read attribute %s of %s: %s", path, name, group,
                        orr_hdf5_reason());
    return code;
}

/* How many numbers an attribute has; SWIFT keeps its parameters as texts. What is no number says
 * nothing. */
static int read_numbers(hid_t file, const char *group, const char *name, double values[MOST_VALUES])
{
    char text[64] = "";
    int count = orr_hdf5_attribute(file, "", group, name, H5T_NATIVE_DOUBLE, MOST_VALUES, values);
    ORR_HID type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, sizeof text - 1);
    if (count < 0 && orr_hdf5_attribute(file, "", group, name, type, 1, text) == 1)
        count = orr_text_number(text, values);
    orr_error_clear();
    return count;
}

void orr_hdf5_read_facts(hid_t file, double facts[ORR_FACTS])
{
    for (int f = 0; f < ORR_FACTS; f++)
        facts[f] = NAN;
    for (const struct place *p = places; p < places + PLACES; p++) {
        double values[MOST_VALUES], value = -INFINITY;
        if (!isnan(facts[p->fact]))
            continue;
        int count = read_numbers(file, p->group, p->name, values);
        for (int k = 0; k < count && k < 3; k++)
            value = fmax(value, values[k] * (p->unit > 0 ? p->unit : 1));
        bool is_unit = p->fact >= ORR_FACT_LENGTH;
        if (isfinite(value) && (!is_unit || value > 0))
            facts[p->fact] = value;
    }
    if (isnan(facts[ORR_FACT_VELOCITY]))
        facts[ORR_FACT_VELOCITY] = facts[ORR_FACT_LENGTH] / facts[ORR_FACT_TIME_UNIT];
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

/* Where codes keep their softenings, as an equivalent Plummer sphere's: of a class of types (%d),
 * which another attribute names, or of the types in `types`. It is comoving, and physical no longer
 * than `limit`. */
static const struct {
    unsigned types; /* a bit each; 0: all */
    const char *group, *name, *class_of, *limit;
    double unit;
} softenings[] = {
    /* Gadget-4; AREPO; GIZMO; SWIFT: dark matter, neutrinos, baryons; Gadget-3 and EAGLE. */
    {0, "/Parameters", "SofteningComovingClass%d", "SofteningClassOfPartType%d",
     "SofteningMaxPhysClass%d", 1},
    {0, "/Parameters", "SofteningComovingType%d", "SofteningTypeOfPartType%d",
     "SofteningMaxPhysType%d", 1},
    {0, "/Header", "Fixed_ForceSoftening_Keplerian_Kernel_Extent", NULL, NULL, 1 / 2.8},
    {1 << 1, "/Parameters", "Gravity:comoving_DM_softening", NULL,
     "Gravity:max_physical_DM_softening", 1},
    {1 << 6, "/Parameters", "Gravity:comoving_nu_softening", NULL,
     "Gravity:max_physical_nu_softening", 1},
    {1 << 0 | 1 << 4 | 1 << 5, "/Parameters", "Gravity:comoving_baryon_softening", NULL,
     "Gravity:max_physical_baryon_softening", 1},
    {1 << 0, "/RuntimePars", "SofteningGas", NULL, "SofteningGasMaxPhys", 1},
    {1 << 1, "/RuntimePars", "SofteningHalo", NULL, "SofteningHaloMaxPhys", 1},
    {1 << 2, "/RuntimePars", "SofteningDisk", NULL, "SofteningDiskMaxPhys", 1},
    {1 << 3, "/RuntimePars", "SofteningBulge", NULL, "SofteningBulgeMaxPhys", 1},
    {1 << 4, "/RuntimePars", "SofteningStars", NULL, "SofteningStarsMaxPhys", 1},
    {1 << 5, "/RuntimePars", "SofteningBndry", NULL, "SofteningBndryMaxPhys", 1},
};

/* The value of a class, or of a type where the attribute has one for each. */
static double read_of(hid_t file, const char *group, const char *name, int class, int type)
{
    char full[64];
    double values[MOST_VALUES];
    const char *mark = name ? strchr(name, '%') : NULL;
    snprintf(full, sizeof full, "%.*s", mark ? (int)(mark - name) : 63, name ? name : "");
    if (mark)
        snprintf(strchr(full, 0), 8, "%d", class);
    const int count = name ? read_numbers(file, group, full, values) : 0, k = count > 1 ? type : 0;
    return k < count ? values[k] : NAN;
}

double orr_hdf5_softening(hid_t file, int type, double expansion)
{
    for (size_t k = 0; k < sizeof softenings / sizeof *softenings; k++) {
        const char *group = softenings[k].group, *class_of = softenings[k].class_of;
        if (softenings[k].types && !(softenings[k].types >> type & 1))
            continue;
        const double own = read_of(file, group, class_of, type, type);
        const int class = own >= 0 && own < 1000 ? (int)own : type;
        const double eps = read_of(file, group, softenings[k].name, class, type),
                     limit = read_of(file, group, softenings[k].limit, class, type);
        if (eps >= 0)
            return softenings[k].unit * (expansion > 0 ? fmin(eps, limit / expansion) : eps);
    }
    return NAN;
}
#else
typedef int orr_no_hdf5; /* a translation unit must declare something */
#endif
