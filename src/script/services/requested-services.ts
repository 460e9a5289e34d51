import { isMap } from '../../domain/config/config-value.ts'
import type { JobConfig } from '../../domain/job/job.ts'
import { firstText } from '../first-text.ts'
import { type ImageMap, type Pull, rowsFor } from '../images/image-map.ts'
import { fillTemplate, isTemplate } from '../images/image-reference.ts'
import { normalVersion, shownText } from '../images/requested-version.ts'
import { type ServiceRow, serviceTable } from './service-table.ts'

/** A service to start beside a job. */
export interface JobService extends Omit<ServiceRow, 'image' | 'usual'> {
  /** Its name in build files. */
  name: string
  image: string
  pull: Pull
}

/** `lacks`: one sentence with the requested version, the found ones, and the remedy. */
export type RequestedServices = { services: readonly JobService[] } | { lacks: string }

/** Add-ons that name the version of a service, and are a request for it. */
const versionAddons = ['postgresql', 'mariadb', 'rethinkdb']

/** Services whose requested version is in a variable of the job, such as `SERVICE_MARIADB_VERSION`. */
const inVariables = ['mariadb', 'rethinkdb']

/** Started by the job's own program. */
const inJob = ['xvfb']

interface Given {
  /** The repository, as `owner/name`. */
  slug: string
  map: ImageMap
  /** Whether a Docker engine may be started for the job; `fork`: it could, were it not that of a fork. */
  engine: boolean | 'fork'
}

/** The services that a build file names in `services` and `addons`, with their images. */
export function requestedServices(
  config: JobConfig,
  { slug, map, engine }: Given,
): RequestedServices {
  const addons = isMap(config.addons) ? config.addons : {}
  const versions = new Map(
    versionAddons.flatMap((name) => {
      const version = firstText(addons[name])
      return version === undefined ? [] : [[name, version] as const]
    }),
  )
  const named = [config.services].flat().filter((name) => typeof name === 'string')
  const names = [...new Set([...named, ...versions.keys()])].filter((name) => !inJob.includes(name))
  const services: JobService[] = []
  for (const name of names) {
    const service = serviceNamed(name, versions.get(name), rowsFor(map, slug))
    if ('lacks' in service) return service
    if (service.is_engine && engine !== true) return { lacks: withoutEngine(slug, engine) }
    const other = services.find(({ port }) => port === service.port)
    if (other) return { lacks: onePort(other, service) }
    services.push(service)
  }
  return { services }
}

function serviceNamed(
  name: string,
  version: string | undefined,
  { services, pull }: Pick<ImageMap, 'services' | 'pull'>,
): JobService | { lacks: string } {
  const found = Object.hasOwn(serviceTable, name) ? serviceTable[name] : undefined
  if (!found) return { lacks: unknownService(name) }
  const { image, usual, command, ...row } = found
  const chosen = services.get(name)
  const template = chosen?.image ?? image
  if (template === undefined) return { lacks: withoutImage(name) }
  const wanted = version === undefined ? usual : normalVersion(version)
  const filled = isTemplate(template) ? fillTemplate(template, wanted) : template
  if (filled === undefined) return { lacks: unusableVersion(name, version ?? usual, usual) }
  const variables = { ...row.variables }
  if (version !== undefined && inVariables.includes(name)) {
    variables[`SERVICE_${name.toUpperCase()}_VERSION`] = version
  }
  const pulled = chosen?.pull ?? pull ?? 'missing'
  const service = { ...row, name, image: filled, pull: pulled, variables }
  return chosen || command === undefined ? service : { ...service, command }
}

function unknownService(name: string): string {
  const known = Object.keys(serviceTable).join(', ')
  return (
    `.service.yml asks for the service "${shownText(name)}", which this service does not know: install and ` +
    `start it in "before_install", or name one of ${known} in "services".`
  )
}

function withoutEngine(slug: string, engine: false | 'fork'): string {
  const asked = '.service.yml asks for "services: docker"'
  if (engine === 'fork') {
    return `${asked}, which pull requests from forks never get: run what needs it in a job with "if: fork = false".`
  }
  const [owner = ''] = slug.split('/')
  return (
    `${asked}, but this service gives the jobs of "${owner}" no Docker engine: have an administrator add ` +
    `"${owner}" to the setting DOCKER_IN_JOBS, or remove "docker" from "services".`
  )
}

function withoutImage(name: string): string {
  return (
    `.service.yml asks for the service "${name}", which has no official image: have an administrator add it to ` +
    `"services" in the setting IMAGES, or remove it from "services".`
  )
}

function unusableVersion(name: string, version: string, usual: string): string {
  return (
    `.service.yml asks for "${name}: ${shownText(version)}", which cannot be part of the name of an image: ask ` +
    `for a version such as "${usual}".`
  )
}

function onePort(one: JobService, other: JobService): string {
  return (
    `.service.yml asks for the services "${one.name}" and "${other.name}", which both use port ${one.port}: remove ` +
    'one of them.'
  )
}
