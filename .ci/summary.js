// Adds up vitest's JSON reports and prints the one line that CI reads. A file that could not be
// loaded, and a run that left no report, count as failed.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

const [folder = '.', ...runs] = process.argv.slice(2)
const sum = { passed: 0, failed: 0, skipped: 0 }

for (const run of runs) {
  const file = path.join(folder, `${run}.json`)
  if (!existsSync(file)) {
    console.log(`${run}: no report`)
    sum.failed += 1
    continue
  }
  const counts = count(JSON.parse(readFileSync(file, 'utf8')))
  console.log(`${run}: ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`)
  for (const key of Object.keys(sum)) sum[key] += counts[key]
}

console.log(`tests: ${sum.passed} passed, ${sum.failed} failed, ${sum.skipped} skipped`)
process.exitCode = sum.failed > 0 ? 1 : 0

function count({ testResults }) {
  const counts = { passed: 0, failed: 0, skipped: 0 }
  for (const { status, assertionResults } of testResults) {
    if (status === 'failed' && !assertionResults.some((test) => test.status === 'failed')) {
      counts.failed += 1
    }
    for (const test of assertionResults) {
      if (test.status === 'passed') counts.passed += 1
      else if (test.status === 'failed') counts.failed += 1
      else counts.skipped += 1
    }
  }
  return counts
}
