import { sourceOf } from './requested-version.ts'
import type { ImageContext, LanguageImage, VersionImage } from './tagged-image.ts'

const source = sourceOf('java')
const usual = '21'

/** A requested JDK: its major version, and who made it if that is not Temurin. */
interface Jdk {
  major: number
  maker: 'temurin' | 'semeru'
}

function readJdk(version: string): Jdk | undefined {
  if (['stable', 'latest'].includes(version)) return { major: Number(usual), maker: 'temurin' }
  const [, maker = '', number] =
    /^(openjdk|oraclejdk|jdk|temurin|eclipse|semeru)?-?(?:1\.(?=[78]$))?(\d{1,2})$/.exec(version) ??
    []
  const major = Number(number)
  if (number === undefined || major < 7) return undefined
  return { major, maker: maker === 'eclipse' || maker === 'semeru' ? 'semeru' : 'temurin' }
}

/** Versions between the ones that are maintained for years, which have only frozen images. */
const frozen: ReadonlySet<number> = new Set([7, 9, 10, 12, 13, 14, 15, 16])

/** Maven's image has the JDK, Maven and git; Gradle's is for builds without a wrapper. */
function javaImage(version: string, { files }: ImageContext): VersionImage | undefined {
  const jdk = readJdk(version)
  if (jdk === undefined) return exactRelease(version)
  const { major, maker } = jdk
  if (maker === 'semeru') {
    return { version: `semeru-${major}`, image: `ibm-semeru-runtimes:open-${major}-jdk` }
  }
  if (frozen.has(major)) return { version: `${major}`, image: `openjdk:${major}-jdk` }
  const image = needsGradle(files, major)
    ? `gradle:${major >= 25 ? 9 : 8}-jdk${major}`
    : `maven:3-eclipse-temurin-${major}`
  return { version: `${major}`, image }
}

/** A release has a tag only with its number of the build: `8u402-b06`, `17.0.9_9`. */
function exactRelease(version: string): VersionImage | undefined {
  const release = version.replace(/^(?:openjdk|oraclejdk|temurin)-?/, '').replace('+', '_')
  if (!/^(?:8u\d+-b\d+|\d+(?:\.\d+){2,3}_\d+)$/.test(release)) return undefined
  return { version: release, image: `eclipse-temurin:${release}-jdk` }
}

const gradleFiles = ['build.gradle', 'build.gradle.kts']

function needsGradle(files: ReadonlyMap<string, string>, major: number): boolean {
  const isUsed = gradleFiles.some((file) => files.has(file)) && !files.has('gradlew')
  return isUsed && [8, 11, 17, 21, 25].includes(major)
}

const besides = ['gradlew', ...gradleFiles]

export const java: LanguageImage = { source, usual, find: javaImage, besides }

/**
 * Images of sbt by the JDK. Their tags have three full versions, of which only the JDK matters: sbt itself
 * fetches the version of sbt and of Scala that the project names.
 */
const sbtTags: Readonly<Record<number, string>> = {
  8: 'eclipse-temurin-jammy-8u402-b06_1.9.9_2.12.19',
  11: 'eclipse-temurin-focal-11.0.22_7_1.9.8_3.3.1',
  17: 'eclipse-temurin-jammy-17.0.10_7_1.10.0_3.4.1',
  21: 'eclipse-temurin-jammy-21.0.2_13_1.9.8_3.3.1',
  25: 'eclipse-temurin-25_36_1.11.7_3.7.3',
}

/** Files of a project of sbt, which may have none but those in its folder `project`. */
const sbtFiles = ['build.sbt', 'project/build.properties', 'project/plugins.sbt']

export const scala: LanguageImage = {
  source,
  usual,
  find(version, context) {
    const usesSbt = sbtFiles.some((file) => context.files.has(file))
    const jdk = usesSbt ? readJdk(version) : undefined
    const tag = jdk?.maker === 'temurin' ? sbtTags[jdk.major] : undefined
    if (tag === undefined) return javaImage(version, context)
    return { version: `${jdk?.major}`, image: `sbtscala/scala-sbt:${tag}` }
  },
  besides: [...sbtFiles, ...besides],
}

export const clojure: LanguageImage = {
  source,
  usual,
  find(version) {
    const jdk = readJdk(version)
    if (jdk?.maker !== 'temurin') return undefined
    const { major } = jdk
    if (frozen.has(major)) return { version: `${major}` }
    return { version: `${major}`, image: `clojure:temurin-${major}-lein` }
  },
}

/** No maker publishes an image with the SDK. */
export const android: LanguageImage = {
  source,
  usual,
  find(version) {
    const jdk = readJdk(version)
    return jdk && { version: jdk.maker === 'semeru' ? `semeru-${jdk.major}` : `${jdk.major}` }
  },
}
