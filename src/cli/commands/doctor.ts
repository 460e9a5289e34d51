import { readConfig } from '../../config/config.ts'
import { examine } from '../../service/examine/examine.ts'
import type { Examined } from '../../service/examine/examined.ts'
import { createLog } from '../log.ts'
import { endAs, stopSignal } from '../signals.ts'
import { paint } from '../terminal.ts'

const colours = { ok: 'green', warning: 'yellow', failure: 'red' } as const

/** Prints the state of everything that the service depends on; exits with 1 on a failure. */
export async function doctor(): Promise<void> {
  const stop = stopSignal(() => console.error('stopping …'))
  await endAs(stop, () => examineAll(stop))
}

async function examineAll(stop: AbortSignal): Promise<number> {
  const config = readConfig({ LOG_LEVEL: 'silent', ...process.env })
  print({ subject: 'settings', verdict: 'ok', found: 'all of them can be read' })
  let code = 0
  for await (const examined of examine(config, createLog(config), stop)) {
    if (stop.aborted) break
    print(examined)
    if (examined.verdict === 'failure') code = 1
  }
  return code
}

function print({ subject, verdict, found, remedy }: Examined): void {
  console.log(`${paint(colours[verdict], verdict.padEnd(8))} ${subject.padEnd(12)} ${found}`)
  if (remedy !== undefined) console.log(`${' '.repeat(22)}→ ${remedy}`)
}
