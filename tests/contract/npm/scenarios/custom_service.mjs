// The settings of a service with rules, rails, folders and accounts of its own.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Rules of the scenarios, each with a claim in which it finds something and one in which it does not. */
const kRules = {
  failing: {
    fields: '',
    evaluate: 'function(claim) return claim.amount_cents // claim.line_count > 50000 end',
    finds: "{ amount_cents = 100000, lines = { { cpt = '99213', amount_cents = 100000 } } }",
    passes: "{ amount_cents = 100, lines = { { cpt = '99213', amount_cents = 100 } } }",
  },
  other: {
    fields: "payers = { 'P1000', 'P2000' },",
    evaluate: 'function(claim) return claim.amount_cents > 50000 end',
    finds: '{ amount_cents = 100000 }',
    passes: '{ amount_cents = 100 }',
  },
  line: {
    fields: "each = 'line', codes = { '99211' }, "
      + "profiles = { lenient = 'warning', standard = 'warning', strict = 'warning' },",
    evaluate: 'function(line) return line.amount_cents > 0 end',
    finds: "{ lines = { { cpt = '99211', amount_cents = 100 } } }",
    passes: "{ lines = { { cpt = '99211', amount_cents = 0 } } }",
  },
};
const ruleText = (name, { fields, evaluate }) => `return {
  id = 'denial.scenario_${name}', rev = 1, mode = 'live', family = 'scenario_${name}',
  reason = { group = 'CO', code = 'ZERO_CHARGE', carc = '16' }, weight = 0.10, ${fields}
  summary = 'A rule of the scenarios', fix = 'Nothing.',
  evaluate = ${evaluate},
}`;
const casesText = (name, { finds, passes, fields }) => {
  const payer = fields.startsWith('payers') ? ", payer = { id = 'P1000' }" : '';
  const one = (what, claim, expect) => `{ name = '${what}', claim = ${claim}${payer}, expect = ${expect} },`;
  return `return { rule = 'denial.scenario_${name}', cases = {
    ${one('finds', finds, '{ probability = 0.10 }')} ${one('passes', passes, "'nothing'")} } }`;
};

/** A temporary folder with `rules`, a copy of the shipped ones with changes, and `inbox` for files. */
export function customFolder(source) {
  const folder = mkdtempSync(join(tmpdir(), 'tideover-scenarios-'));
  const rules = join(folder, 'rules');
  cpSync(join(source, 'rules'), rules, { recursive: true });
  const edit = (file, ...changes) => {
    let text = readFileSync(join(rules, file), 'utf8');
    for (const [from, to] of changes) {
      if (!text.includes(from)) throw new Error(`${file} has no ${from}`);
      text = text.replace(from, to);
    }
    writeFileSync(join(rules, file), text);
  };
  edit('recourse/standard.lua', ['hold_days = 0', 'hold_days = 2'],
    ['reserve_percentage = 0,', 'reserve_percentage = 0.10,'],
    ['fee_tiers = {}', 'fee_tiers = { { from_day = 31, percentage = 0.03 } }']);
  // Terms of a claim of this amount cannot be computed.
  edit('terms/standard.lua', ["    local reasons, doubts = {}, 0\n",
    "    local reasons, doubts = {}, review.submitted_cents == 77700 and 0 // 0 or 0\n"]);
  edit('params.lua', ['learn_from_answers = { value = 200', 'learn_from_answers = { value = 1']);
  edit('ruleset.lua', ['denial = {', "denial = { 'scenario_failing', 'scenario_other', 'scenario_line',"]);
  for (const [name, rule] of Object.entries(kRules)) {
    writeFileSync(join(rules, 'denial', `scenario_${name}.lua`), ruleText(name, rule));
    writeFileSync(join(rules, 'cases', `scenario_${name}.lua`), casesText(name, rule));
  }
  mkdirSync(join(folder, 'pickup'), { mode: 0o750 });
  return folder;
}

export const customSettings = (folder) => ({
  rules: { folder: join(folder, 'rules'), operator_tenant: 'default' },
  ledger: { accounts: { fee_income: '4100 Fees', funding_cash: '1010 Cash' } },
  pickup: { folders: [{ name: 'files', path: join(folder, 'pickup'), tenant: 'default', poll_ms: 50, stable_ms: 50 }] },
  funding: { two_person_decisions: 'always' },
  webhooks: { sandbox_retry_seconds: [0, 1, 1] },
});
