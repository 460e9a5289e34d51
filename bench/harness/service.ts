import type * as Log from '../../src/cli/log.ts'
import type * as Config from '../../src/config/config.ts'
import type * as Start from '../../src/service/start.ts'
import { built } from './built.ts'

export const { createLog } = await built<typeof Log>('cli/log.js')
export const { readConfig } = await built<typeof Config>('config/config.js')
export const { startService } = await built<typeof Start>('service/start.js')
