# SPDX-License-Identifier: MIT
# The papers' printed numbers, and numbers that say nothing, for their claims to judge; PAPER=shan: of one paper.
.PHONY: calibrate
CALIBRATION := $(patsubst tests/%.sql,$(BUILD)/gen/sql/%.h,$(wildcard tests/calibrate/*.sql))
$(CALIBRATION): $(BUILD)/gen/sql/%.h: tests/%.sql tools/embed_sql.sh
	@mkdir -p $(@D); tools/embed_sql.sh $< > $@
$(BUILD)/tests/calibrate: $(CALIBRATION)
calibrate: all $(BUILD)/tests/calibrate
	@$(BUILD)/tests/calibrate $(PAPER)
check: $(BUILD)/tests/calibrate
-include $(BUILD)/tests/calibrate.d $(BUILD)/tests/calibrate.link.d
