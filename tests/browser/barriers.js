// What axe calls serious or critical on a page, as `barriers.find`.

window.barriers = (() => {
  const SERIOUS = ["serious", "critical"];

  // Rules that cannot find anything serious.
  const mild = axe._audit.rules.filter((rule) => {
    const checks = [...rule.any, ...rule.all, ...rule.none].map((check) => axe._audit.checks[check.id ?? check]);
    return ![rule, ...checks].some(({ impact }) => SERIOUS.includes(impact));
  }).map(({ id }) => id);

  const listLooks = (results) => [...new Set(results.flatMap(({ nodes }) => nodes).map(({ element }) => element)
    .filter((one) => one?.isConnected).map((one) => measure.look(one)))];

  // Returns what is wrong, and of which looks each rule of contrast has found nothing wrong. If looks are given, only
  // texts that have one of them are judged.
  async function find(runOnly, enabled, disabled, contrast, looks) {
    const rules = Object.fromEntries([
      ...mild.map((rule) => [rule, { enabled: false }]),
      ...enabled.map((rule) => [rule, { enabled: true }]),
      ...disabled.map((rule) => [rule, { enabled: false }]),
    ]);
    const hasContrast = contrast.length > 0;
    const resultTypes = hasContrast ? ["violations", "passes", "incomplete"] : ["violations"];
    const texts = looks ? measure.withLooks(looks) : [];
    const context = texts.length > 0 ? { include: texts } : document;
    const { violations, passes, incomplete } = await axe.run(context, { runOnly, rules, resultTypes, elementRef: hasContrast });
    return {
      faults: violations.flatMap(({ id, impact, nodes }) => nodes.filter(() => SERIOUS.includes(impact))
        .map(({ target, failureSummary }) => `${id}: ${target} ${failureSummary}`)),
      judged: contrast.map((rule) => [rule, listLooks([...passes, ...incomplete].filter(({ id }) => id === rule))]),
    };
  }

  return { find };
})();
