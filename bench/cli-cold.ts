// How long `build-service lint` takes from its start to its end, on a file of 1 KB. It runs before
// each commit and behind each save, where people wait for it, and most of that time is starting.
//
// The anchor is Node with an empty program. The candidate is the real command as it is installed.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { localBenchmark } from './harness/benchmark.ts'
import { buildFile } from './harness/build-files.ts'
import { compare } from './harness/compare.ts'
import { subline } from './harness/line.ts'
import { rounded } from './harness/statistics.ts'
import { byStarts, started } from './harness/windows.ts'

const program = path.resolve(import.meta.dirname, '../bin/build-service.js')

await localBenchmark(
  { bench: 'cli-cold', goal: 1.4, better: 'lower', noise: 0.03 },
  async ({ place, plan }) => {
    const home = place.folder('home')
    const empty = path.join(home, 'empty.js')
    const file = path.join(home, '.service.yml')
    writeFileSync(empty, '')
    writeFileSync(file, buildFile(1, 1024))
    const env = { ...process.env, HOME: home }

    const starts = byStarts(plan)
    const anchor = started([empty], env)
    // It finds something, as in most files.
    const candidate = started([program, 'lint', file], env, 1)
    const comparison = await compare({ candidate, anchor }, starts)
    const asked = started([program, '--version'], env)
    const version = await compare({ candidate: asked, anchor }, starts)
    return {
      comparison,
      further: {
        floor: 1.6,
        moonshot: 1.2,
        empty_ms: rounded(await anchor(), 1),
        version: subline({ goal: 1.1, better: 'lower', noise: 0.03 }, version),
      },
    }
  },
)
