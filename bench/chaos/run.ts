// Disturbs a running service as machines and networks do, those of the trials whose names begin with
// one of the arguments, and judges whether every push was built as if nothing had happened. Each
// trial prints one line; the process ends with 1 when one has found a problem.
import { inWorkplace } from '../harness/workplace.ts'
import type { Trial } from './trial.ts'
import { diskFull } from './trials/disk-full.ts'
import { embeddedKilled } from './trials/embedded-killed.ts'
import { killRoles } from './trials/kill-roles.ts'
import { killService } from './trials/kill-service.ts'
import { redisForgets } from './trials/redis-forgets.ts'

const trials: Readonly<Record<string, Trial>> = {
  'kill-service': killService,
  'kill-roles': killRoles,
  'redis-forgets': redisForgets,
  'embedded-killed': embeddedKilled,
  'disk-full': diskFull,
}

const wanted = process.argv.slice(2)
const chosen = Object.entries(trials).filter(
  ([name]) => wanted.length === 0 || wanted.some((beginning) => name.startsWith(beginning)),
)
if (chosen.length === 0) {
  const names = Object.keys(trials).join(', ')
  process.stderr.write(`No trial begins with ${wanted.join(' or ')}; there are: ${names}\n`)
  process.exitCode = 1
}

for (const [trial, { missing, run }] of chosen) {
  const skipped = await missing?.()
  if (skipped !== undefined) {
    print({ trial, ok: null, skipped })
    continue
  }
  const { problems, ...numbers } = await inWorkplace(run)
  const ok = problems.length === 0
  print({ trial, ok, ...numbers, problems: problems.length, first: problems.slice(0, 5) })
  if (!ok) process.exitCode = 1
}

function print(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`)
}
