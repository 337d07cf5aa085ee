// Lints the file that the argument names by Redocly's strictest built-in rules. Exits with 1 when there is any finding.
import { createConfig, lint } from '@redocly/openapi-core';

const findings = await lint({ ref: process.argv[2], config: await createConfig({ extends: ['recommended-strict'] }) });
for (const { ruleId, message, location } of findings) console.error(`${location[0].pointer}: ${ruleId}: ${message}`);
process.exit(findings.length === 0 ? 0 : 1);
