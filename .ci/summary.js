// Adds up vitest's JSON reports and prints the one line that CI reads. A test of several runs counts
// once: as failed where it failed in any of them, as skipped where it was skipped in all. A file that
// could not be loaded, and a run that left no report, count as failed. Failures are repeated here with
// the start of their message, since a log is most often read from its end.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

const [folder = '.', ...runs] = process.argv.slice(2)
const linesOfMessage = 12
const worstFirst = ['failed', 'passed', 'skipped']
/** What became of each test in all runs so far, by file, title and position among equal titles. */
const outcomes = new Map()

for (const run of runs) {
  const file = path.join(folder, `${run}.json`)
  if (!existsSync(file)) {
    console.log(`${run}: no report`)
    outcomes.set(`run ${run}`, 'failed')
    continue
  }
  const report = JSON.parse(readFileSync(file, 'utf8'))
  const results = resultsOf(report)
  for (const failure of failuresOf(report)) console.log(`failed in ${run}: ${failure}`)
  console.log(`${run}: ${counted(results.values())}`)
  for (const [test, outcome] of results) {
    outcomes.set(test, worst([outcome, outcomes.get(test) ?? outcome]))
  }
}

console.log(`tests: ${counted(outcomes.values())}`)
process.exitCode = [...outcomes.values()].includes('failed') ? 1 : 0

function resultsOf({ testResults }) {
  const results = new Map()
  for (const { name, status, assertionResults } of testResults) {
    // Runs may have happened in different folders.
    const file = name.slice(name.lastIndexOf('/test/') + 1)
    if (status === 'failed' && !assertionResults.some((test) => test.status === 'failed')) {
      results.set(file, 'failed')
    }
    for (const { fullName, status: outcome } of assertionResults) {
      let position = 1
      while (results.has(`${file} ${position} ${fullName}`)) position += 1
      const known = outcome === 'passed' || outcome === 'failed'
      results.set(`${file} ${position} ${fullName}`, known ? outcome : 'skipped')
    }
  }
  return results
}

function failuresOf({ testResults }) {
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const failed = assertionResults.filter((test) => test.status === 'failed')
    if (status !== 'failed' || failed.length > 0) {
      return failed.map((test) => `${name}: ${test.fullName}\n${start(test.failureMessages)}`)
    }
    return [`${name}\n${start([message])}`]
  })
}

function start(messages) {
  const lines = messages.join('\n').split('\n').slice(0, linesOfMessage)
  return lines.map((line) => `  ${line.slice(0, 300)}`).join('\n')
}

function worst(found) {
  return worstFirst.find((outcome) => found.includes(outcome))
}

function counted(found) {
  const all = [...found]
  const count = (outcome) => all.filter((each) => each === outcome).length
  return `${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped`
}
