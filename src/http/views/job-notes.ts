import type { Job } from '../../domain/job/job.ts'
import { assumedOf, effectNotes } from '../../domain/job/keys-without-effect.ts'
import { otherVersion, otherVersionThanFiles } from '../../domain/job/language-tools.ts'
import { type AskedMachine, otherMachineText } from '../../domain/job/machine.ts'
import { askedVersion, chooseLanguage } from '../../script/language/choose-language.ts'

type Noted = Pick<
  Job,
  'config' | 'origin' | 'os' | 'arch' | 'unmet' | 'found_version' | 'found_machine' | 'image'
>

/** Notes on a job's settings that are not carried out as written, a sentence each (D42, D52). */
export function jobNotes(job: Noted): string[] {
  const { config, unmet, found_version, found_machine, image } = job
  return [
    ...(unmet === null ? [] : [machineNote(job, unmet, found_machine)]),
    ...(found_version === null ? [] : [versionNote(config, found_version)]),
    ...effectNotes(config, assumedOf(job), { inContainer: image !== null }),
  ]
}

function versionNote(config: Job['config'], found: string): string {
  const asked = askedVersion(config)
  return asked === undefined
    ? otherVersionThanFiles(chooseLanguage(config).name, found)
    : otherVersion({ file: '.service.yml', asked, found })
}

function machineNote(job: AskedMachine, unmet: string, found: string | null): string {
  if (found !== null) return otherMachineText(job, found, 'OTHER_MACHINES=')
  return `Not run: no runner of this service has ${unmet}.`
}
