// The real service. With the role `web` only, what it stores is not processed here, so that the
// processing takes no part of the measured time; its entries are added to the queue all the same.
import { captureStatements } from '../../test/support/sent-statements.ts'
import { answer, closeAtLast, tell } from '../harness/parent.ts'
import { createLog, readConfig, startService } from '../harness/service.ts'
import { watchHops } from './hops.ts'

const config = readConfig(process.env)
const { wrapHop, rest } = watchHops()
let captured: ReturnType<typeof captureStatements> | undefined
const service = await startService(config, { log: createLog(config), wrapHop })

answer({
  rest: () => rest(),
  rss: () => process.memoryUsage.rss(),
  cpu: () => secondsOf(process.cpuUsage()),
  // Of those since this was asked first.
  statements: () => (captured ??= captureStatements()).statements.length,
})
closeAtLast(service.stop)
tell({ url: service.localUrl })

function secondsOf({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1e6
}
