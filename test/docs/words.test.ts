// Words and phrases that have a better form, in sources, pages and titles of tests. CONTRIBUTING.md says why.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { commentsIn, type Found, textsIn, titlesIn } from '../../scripts/texts-in-sources.ts'

const root = path.resolve(import.meta.dirname, '../..')

/** A fault, the better form, and a sentence with the fault. */
type Row = [fault: RegExp, better: string, example: string]

/** In texts, comments, pages and titles. */
const everywhere: Row[] = [
  [/\bwhoever\b/i, 'anyone who', 'Whoever can push can read it.'],
  [/(?<!`)\bnobody\b(?!['`:]| inside)/i, 'no one', 'It is hidden, so nobody sees it.'],
  [/(?<!no effect )\bany more\b(?! than)/i, 'no longer', 'The branch does not exist any more.'],
  [/\bby now\b/, 'now, already', 'The pull request has another head by now.'],
  [/, since\b(?! (?:its last|then|when|\{))/, ', because', 'It is left out, since it is empty.'],
  [/\bin (?:the )?place of\b/, 'instead of', 'Write a space in place of the colon.'],
  [/\b[Bb]esides\b/, 'in addition to, except', 'The fields of a log besides its text.'],
  [
    /\bso many (?:more )?(?:seconds|milliseconds|bytes|lines|days)\b/,
    'a number of',
    'It waits so many seconds.',
  ],
  [/\b(?:has|have) to be\b(?! \w+ed\b)/, 'must be', 'This has to be a text.'],
  [/\bspelt\b/, 'spelled', 'There is one that is spelt nearly so.'],
  [/\bstands\b(?! (?:in )?for)/, 'is', 'The key stands before the list.'],
  [/\bdo(?:es)? not tell\b/, 'does not report', 'The code host does not tell who pushed.'],
  [/\b(?:is|are|was|were) (?:not )?told\b(?!  )/, 'is notified, learns', 'It is told of forks.'],
  [/\bsays (?:neither|nothing)\b/, 'does not report', 'The file says neither of both.'],
  [/\bis another one\b/, 'is a different', 'MASTER_KEY is another one'],
  [
    /(?<![Tt]here )\b(?:is|are) no (?!longer|more|other|one|such|use|way|need|problem|idea|obstacle)[a-z]/,
    'is not a',
    'The line is no object.',
  ],
  [
    /\bthe most (?:that )?(?:a|is)\b/,
    'the maximum',
    'These are 200 jobs, the most that a build may have.',
  ],
  [/\bindent both alike\b/, 'by the same amount', 'Its "-" is indented deeper: indent both alike.'],
  [/\bas [\w’' ]+ has it\b/, 'depending on', 'true or false, as the setting has it'],
  [/^It needs a\b/, '(name the subject)', 'It needs a login.'],
  [/^Let it\b/, '(the verb)', 'Let it start in the same column.'],
  [
    /\b(?:above|below|of|see what is) theirs\b/,
    '(repeat the noun)',
    'It has a value below theirs.',
  ],
  [/\bmay have got\b/, 'be compromised', 'If someone else may have got one of your tokens'],
  [
    /\b(?:be rid of|at hand|one wanted|was meant as|put right)\b/,
    '(say it plainly)',
    'The job that one wanted to be rid of runs.',
  ],
  [/\bwho \w+ed what\b/, 'the author of a change', 'It records who changed what.'],
  [/\bThe build is (?:waiting|running)$/, 'Build queued, Build running', 'The build is waiting'],
  [/\bwith (?:commas|colons|spaces) between\b/, 'separated by', 'Folders, with colons between'],
  [/\ball from here\b/, 'everything', 'all from here on is ignored'],
  [/\bmap of keys and values\b/i, 'mapping', 'This is a map of keys and values.'],
  [/\bas you wished\b/i, '(left out)', 'You were not logged in, as you wished.'],
  [/\bhow that went\b/, 'its result', 'The webhook, and how that went.'],
  [/\bas one reads\b/, 'in the order of', 'It sorts as one reads the file.'],
  [/\bdo too\b|\bis \w+ as well[,.]/, 'also', 'The paths in their responses do too.'],
  [/\bmay do so\b/, 'can', 'It may do so once the rights have changed.'],
  [
    /\bwas a moment ago\b|\bthan it was\b/,
    '(name the time)',
    'It is answered as it was a moment ago.',
  ],
  [/\bnone of the [\w ]+['’]s\b/, 'does not belong to', 'The branch is none of the code host’s.'],
  [/\bhas its own there\b|\bown verbs\b/, '(repeat the noun)', 'A sandbox has its own there.'],
  [/\bwhen it was last\b/, 'the time of', 'a cron: how often it runs, and when it was last'],
  [/\bcame to (?:its|their) end\b/i, 'finished', 'It was ended before it came to its end.'],
  [/\blook(?:s|ed)? up .*repositories again\b/i, 'sync', 'Look up my repositories again'],
  [/\bhands logins over\b/i, 'redirects', 'It is not one that this service hands logins over to.'],
]

/** In texts, comments and pages. */
const inProse: Row[] = [
  [/\bthe one (?:that|before|who)\b/, '(repeat the noun)', 'Take the one that a finding shows.'],
  [/\bthose (?:who|alone|about)\b/, 'users who', 'It is shown only to those who are logged in.'],
  [/\b(?:a|no|the|hold|two) blanks?\b(?! line)/, 'space', 'Names hold no blanks.'],
  [
    /\bwhat (?:is|was|were|are) (?:sent|received|built|to be built|asked|encrypted|sealed|wrong|said|known|stored|there|needed|kept|found|JSON)\b/,
    '(a noun)',
    'It changes what is sent of a variable.',
  ],
  [
    /\bwhat (?:follows|came|stood|has|takes|becomes|became)\b/,
    '(a noun)',
    'It ends, and what follows is not run.',
  ],
  [/\bfor what (?:it|takes|there)\b/, '(a noun)', 'Add --help for what there is.'],
  [
    /^Has (?:the|a)\b|\b(?:has|have|having) (?:the|a|an|its|it|them) (?:[a-z]+ )?(?:built|done|run|sent|made|added)\b/,
    '(the verb)',
    'Push again to have it built.',
  ],
  [
    /\bwhere (?:it|that|there is|this one) (?:is |does |says |has )?(?:not|nothing|no such|ignored|ask)/,
    'if',
    'It is refused where it is ignored elsewhere.',
  ],
  [/\bwhose (?:key pair|token|repository|branch) it is\b/, 'the owner of', 'whose key pair it is'],
  [/\b(?:is not|no longer) there\b/, 'missing', 'A token that was just made is not there.'],
  [
    /\bthat (?:it|they) (?:is|are) (?:for|about)\b/,
    '(a noun)',
    'the id of the build that they are about',
  ],
]

/** In comments. */
const inComments: Row[] = [
  [
    /^(?:The same|Those|None|Gone|Of|No later)\b(?! (?:these|two|one|several|the|a|all)\b)/,
    '(name the subject)',
    'The same, as headers of a response.',
  ],
  [/^One (?:that|who)\b/, '(name the subject)', 'One that is known stays as it is.'],
  [/^What (?:is|was|has|may|can|it|they|XML)\b/, '(a noun)', 'What is not known here is refused.'],
]

/** In texts of the program. */
const inTexts: Row[] = [
  [/^of an? login\b/, '(name the subject)', 'of a login to the pages, where it leads'],
  [
    /\b(?:blank|colon|value|quote|put .+) behind\b/,
    'after',
    'Write the value behind the colon behind it.',
  ],
]

const rows = [...everywhere, ...inProse, ...inComments, ...inTexts]

/** Migrations stay as they were run, records of decisions as they were made. */
const leftAlone =
  /migrations\/|docs\/decisions\/|docs\/messages|fixtures\/|schema\/table\.ts$|docs\/words\.test\.ts$/

function filesIn(folder: string, ending: RegExp): string[] {
  return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => path.join(folder, file))
    .filter((file) => ending.test(file) && !leftAlone.test(file))
}

const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
const sources = filesIn('src', /\.(?:tsx?|js)$/)
const tests = filesIn('test', /\.test\.tsx?$/)
const pages = [
  ...['README.md', 'CONTRIBUTING.md', 'ARCHITECTURE.md'],
  ...filesIn('docs', /\.md$/),
  ...filesIn('src', /\.md$/),
]

const linesOf = (file: string): Found[] =>
  read(file)
    .split('\n')
    .map((text, at) => ({ file, line: at + 1, name: '', text }))

function faultsIn(found: readonly Found[], ...tables: readonly (readonly Row[])[]): string[] {
  return found.flatMap(({ file, line, text }) => {
    const whole = text.replaceAll(/\s+/g, ' ')
    const row = tables.flat().find(([fault]) => fault.test(whole))
    return row ? [`${file}:${line}: write "${row[1]}": ${whole}`] : []
  })
}

describe('no words that have a better form are', () => {
  test('in comments', () => {
    const found = sources.flatMap((file) => commentsIn(file, read(file)))
    expect(found.length).toBeGreaterThan(5000)
    expect(faultsIn(found, everywhere, inProse, inComments)).toEqual([])
  })

  test('in texts of the program', () => {
    const found = sources.flatMap((file) => textsIn(file, read(file)))
    expect(found.length).toBeGreaterThan(3000)
    expect(faultsIn(found, everywhere, inProse, inTexts)).toEqual([])
  })

  test('in pages', () => {
    expect(faultsIn(pages.flatMap(linesOf), everywhere, inProse)).toEqual([])
  })

  test('in titles of tests', () => {
    const found = tests.flatMap((file) => titlesIn(file, read(file)))
    expect(found.length).toBeGreaterThan(3000)
    expect(faultsIn(found, everywhere)).toEqual([])
  })
})

describe('the rows', () => {
  test('are at most sixty', () => {
    expect(rows.length).toBeLessThanOrEqual(60)
  })

  test.each(rows)('%s is found, for %j', (fault, better, example) => {
    expect(example).toMatch(fault)
    expect(better).not.toMatch(fault)
  })

  // Drawn from the texts and comments of November, and marked by hand before the rows were written.
  test('find at least ninety of a hundred faulty sentences', () => {
    const faulty = read('test/docs/faulty-sentences.txt').trimEnd().split('\n')
    expect(faulty).toHaveLength(100)
    const found = faulty.filter((text) => rows.some(([fault]) => fault.test(text)))
    expect(found.length).toBeGreaterThanOrEqual(90)
  })
})
