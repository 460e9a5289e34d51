// The real service with the role `web`, which also says how much memory it has.
import type * as Log from '../../src/cli/log.ts'
import type * as Settings from '../../src/config/config.ts'
import type * as Start from '../../src/service/start.ts'
import { built } from '../harness/built.ts'
import { answer, closeAtLast, tell } from '../harness/parent.ts'

const { createLog } = await built<typeof Log>('cli/log.js')
const { readConfig } = await built<typeof Settings>('config/config.js')
const { startService } = await built<typeof Start>('service/start.js')

const config = readConfig(process.env)
const service = await startService(config, { log: createLog(config) })

answer({ megabytes: async () => process.memoryUsage.rss() / 1024 / 1024 })
closeAtLast(service.stop)
tell({ url: service.localUrl })
