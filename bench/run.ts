// Runs the benchmarks one after the other, those whose names begin with one of the arguments, and
// ends with a table. A missed goal is no failure; a benchmark that crashes is. With `--record` the
// ratios are added to `history.jsonl`, one line a release.
import { spawn } from 'node:child_process'
import { appendFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import type { Line } from './harness/line.ts'
import { releaseOf } from './harness/release.ts'
import { tableOf } from './harness/table.ts'

const folder = import.meta.dirname
const all = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && entry.name !== 'run.ts')
  .map(({ name }) => path.basename(name, '.ts'))
  .toSorted()

const record = process.argv.includes('--record')
const wanted = process.argv.slice(2).filter((argument) => argument !== '--record')
const chosen = all.filter(
  (name) => wanted.length === 0 || wanted.some((beginning) => name.startsWith(beginning)),
)

/** Runs one benchmark, passes its lines on, and returns them with its exit code. */
async function runOne(name: string): Promise<{ lines: Line[]; code: number }> {
  const lines: Line[] = []
  const child = spawn(process.execPath, ['--import', 'tsx', path.join(folder, `${name}.ts`)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<number>((resolve, reject) => {
    child.once('error', reject).once('close', (code) => resolve(code ?? 1))
  })
  for await (const text of createInterface({ input: child.stdout })) {
    process.stdout.write(`${text}\n`)
    if (text.startsWith('{"bench":')) lines.push(JSON.parse(text) as Line)
  }
  return { lines, code: await ended }
}

if (chosen.length === 0) {
  process.stderr.write(
    `No benchmark begins with ${wanted.join(' or ')}; there are: ${all.join(', ')}\n`,
  )
  process.exitCode = 1
}

const lines: Line[] = []
for (const name of chosen) {
  const result = await runOne(name)
  lines.push(...result.lines)
  if (result.code === 0) continue
  process.stderr.write(`bench/${name}.ts ended with code ${result.code}\n`)
  process.exitCode = 1
}
if (lines.length > 0) process.stdout.write(`\n${tableOf(lines)}`)
if (record) {
  appendFileSync(path.join(folder, 'history.jsonl'), `${JSON.stringify(releaseOf(lines))}\n`)
}
