// How long the linter takes for a file: text in; findings with words, line and column, and the
// normal form out. A server checks every push, and bulk checks read thousands of files.
//
// The anchor only parses the same files. They are made up, like real ones in size and habits; where
// the corpus of real files lies beside this project, it is measured as well.
import type * as LintText from '../src/lint/lint-text.ts'
import { hasCorpus, readCorpus } from '../test/support/corpus.ts'
import { parseAll } from './anchors/lint-throughput.ts'
import { localBenchmark } from './harness/benchmark.ts'
import { buildFiles } from './harness/build-files.ts'
import { built } from './harness/built.ts'
import { compare } from './harness/compare.ts'
import { subline } from './harness/line.ts'
import { inProcess, timed } from './harness/windows.ts'

const { lintText } = await built<typeof LintText>('lint/lint-text.js')

function lintAll(texts: readonly string[], advice: boolean): number {
  let findings = 0
  for (const text of texts) findings += lintText(text, { advice }).findings.length
  return findings
}

async function bench(name: string, texts: readonly string[]): Promise<void> {
  await localBenchmark(
    { bench: name, goal: 0.8, better: 'lower', noise: 0.03 },
    async ({ plan }) => {
      const anchor = timed(() => parseAll(texts))
      const candidate = timed(() => lintAll(texts, false))
      const comparison = await compare({ candidate, anchor }, inProcess(plan))
      const advised = await compare(
        { candidate: timed(() => lintAll(texts, true)), anchor },
        inProcess(plan),
      )
      const perSecond = async (window: typeof anchor) =>
        Math.round((texts.length / (await window())) * 1000)
      const further = {
        floor: 2.5,
        moonshot: 1,
        files: texts.length,
        findings: lintAll(texts, false),
        per_second: await perSecond(candidate),
        anchor_per_second: await perSecond(anchor),
        with_advice: subline({ goal: 1.4, better: 'lower', noise: 0.03 }, advised),
      }
      return { comparison, further }
    },
  )
}

await bench('lint-throughput', buildFiles(400))
if (hasCorpus) {
  const files = readCorpus<{ yaml: string }>('configs')
  await bench(
    'lint-throughput-corpus',
    files.map(({ yaml }) => yaml),
  )
}
