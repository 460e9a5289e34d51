import type { Logger } from 'pino'
import { type Config, readConfig } from '../../config/config.ts'
import { keepReporting } from '../../service/local/local-changes.ts'
import { type Service, startService } from '../../service/start.ts'
import { createLog } from '../log.ts'
import { served } from '../served.ts'
import { stopSignal } from '../signals.ts'

interface StartOptions {
  role?: string
}

/** Serves until the process receives a signal to stop. */
export async function start({ role }: StartOptions): Promise<void> {
  const env = role === undefined ? process.env : { ...process.env, ROLE: role }
  const config = readConfig(env)
  const log = createLog(config)
  const stop = stopSignal((signal) => {
    log.info({ signal }, 'stopping: running jobs return to the queue')
  })
  const service = await startService(config, { log })
  try {
    if (!stop.aborted) await serve(config, service, log, stop)
    await served(service, stop)
  } finally {
    await service.stop()
  }
  log.info('stopped')
}

async function serve(
  config: Config,
  service: Service,
  log: Logger,
  stop: AbortSignal,
): Promise<void> {
  if (service.probe) log.info(service.probe.says)
  const roles = config.roles.join(',')
  if (!config.roles.includes('web')) {
    log.info({ roles }, `the service is running; its work is shown at ${service.url}`)
    return
  }
  log.info({ roles }, `build-service serves at ${service.url}`)
  log.info(nextSteps(config, service))
  await keepReporting(service, log, stop)
}

function nextSteps(
  { gheHost = 'github.com', publicUrl, webhookProxyUrl }: Config,
  { url, appId, setupCode = '' }: Service,
): string {
  if (appId === undefined) {
    const setUp =
      publicUrl === undefined && webhookProxyUrl === undefined
        ? `start it with PUBLIC_URL, the address at which ${gheHost} reaches it (or with WEBHOOK_PROXY_URL)`
        : `open ${url}/setup and enter the setup code ${setupCode}`
    return (
      'local mode: build a repository of this machine with `build-service local add PATH`; to set ' +
      `up the app at ${gheHost}, ${setUp}`
    )
  }
  return (
    `app ${appId} of ${gheHost} sends its webhooks to ${url}/webhooks/codehost; ` +
    '`build-service doctor` checks whether they arrive'
  )
}
