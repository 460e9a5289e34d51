import { readConfig } from '../../config/config.ts'
import { examine } from '../../service/examine/examine.ts'
import type { Examined } from '../../service/examine/examined.ts'
import { createLog } from '../log.ts'
import { paint } from '../terminal.ts'

const colours = { ok: 'green', warning: 'yellow', failure: 'red' } as const

/** Prints the state of everything that the service depends on; exits with 1 on a failure. */
export async function doctor(): Promise<void> {
  const config = readConfig({ LOG_LEVEL: 'silent', ...process.env })
  print({ subject: 'settings', verdict: 'ok', found: 'all of them can be read' })
  for await (const examined of examine(config, createLog(config))) {
    print(examined)
    if (examined.verdict === 'failure') process.exitCode = 1
  }
}

function print({ subject, verdict, found, remedy }: Examined): void {
  console.log(`${paint(colours[verdict], verdict.padEnd(8))} ${subject.padEnd(12)} ${found}`)
  if (remedy !== undefined) console.log(`${' '.repeat(22)}→ ${remedy}`)
}
