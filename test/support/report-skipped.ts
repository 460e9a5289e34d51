import type { Reporter, TestCase, TestModule, Vitest } from 'vitest/node'

let vitest: Vitest

/** Says at the end of a run how many tests were skipped, and why. */
export const skippedReporter: Reporter = {
  onInit(given) {
    vitest = given
  },
  onTestRunEnd(modules) {
    // With a pattern, tests that it does not choose count as skipped as well.
    if (vitest.config.testNamePattern) return
    // Some reporters write their results to the standard output.
    for (const line of skippedLines(modules)) process.stderr.write(`${line}\n`)
  },
}

/** A line for each reason. */
function skippedLines(modules: readonly TestModule[]): string[] {
  const counts = new Map<string, number>()
  for (const { children } of modules) {
    for (const test of children.allTests('skipped')) {
      const line = lineFor(test)
      counts.set(line, (counts.get(line) ?? 0) + 1)
    }
  }
  return [...counts].map(([line, count]) => `${count} ${line}`)
}

function lineFor(test: TestCase): string {
  const { lacks } = test.meta()
  if (lacks) return `tests ${lacks.tests} were skipped: ${lacks.missing}`
  const result = test.result()
  const note = result.state === 'skipped' ? result.note : undefined
  return `tests were skipped${note === undefined ? ' without a reason' : `: ${note}`}`
}
