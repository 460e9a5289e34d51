import { readConfig } from '../../config/config.ts'
import { startService } from '../../service/start.ts'
import { createLog } from '../log.ts'
import { untilStopped } from '../signals.ts'
import { deliverAll } from '../local.ts'

interface Options {
  role?: string
}

/** Serves until the process is told to stop. */
export async function start({ role }: Options): Promise<void> {
  const env = role === undefined ? process.env : { ...process.env, ROLE: role }
  const config = readConfig(env)
  const log = createLog(config)
  const service = await startService(config, { log })
  if (service.probe) log.info(service.probe.says)
  log.info({ roles: config.roles.join(',') }, `build-service serves at ${service.url}`)
  if (config.appId === undefined) {
    log.info('no code host is set up: register a repository with `build-service local add PATH`')
  }
  if (config.roles.includes('web')) await deliverAll(service, log)

  await untilStopped((signal) => log.info({ signal }, 'stopping: running jobs are handed back'))
  await service.stop()
  log.info('stopped')
}
