import { syncInstallation } from '../../flow/repositories/sync-installation.ts'
import { giveUpSync } from '../../flow/repositories/sync-installations.ts'
import type { Processor } from '../processor.ts'

export const syncInstallations: Processor<'installation.sync'> = {
  queue: 'installation.sync',
  role: 'worker',
  here: null,
  attempts: 5,
  pause: 2000,
  concurrency: () => 1,
  async process({ installation }, { ctx }) {
    await syncInstallation(ctx, installation)
  },
  giveUp: ({ installation }, { ctx }) => giveUpSync(ctx, installation),
}
