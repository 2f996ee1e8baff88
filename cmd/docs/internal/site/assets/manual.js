// Three comforts of the manual: the menu on narrow screens, copying of code, and a
// search over the words of all pages. Everything is readable without them.
'use strict';

document.documentElement.classList.add('scripted');

const menu = document.querySelector('.menu');
menu.addEventListener('click', () => {
  const open = document.querySelector('nav').classList.toggle('open');
  menu.setAttribute('aria-expanded', open);
});

// What to copy of a block: of a console block the commands alone.
function copied(block) {
  const code = block.querySelector('code');
  if (!block.classList.contains('console')) return code.textContent;
  return [...code.querySelectorAll('b')].map((line) => line.textContent.slice(2)).join('\n') + '\n';
}

for (const block of document.querySelectorAll('pre.sh, pre.console, pre.python, pre.matlab, pre.go')) {
  const button = document.createElement('button');
  button.className = 'copy';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(copied(block));
    button.textContent = 'Copied';
    setTimeout(() => { button.textContent = 'Copy'; }, 1500);
  });
  block.append(button);
}

// find returns the sections that hold every word: first the one that is called so,
// then those that have the words in the title.
function find(words) {
  const found = [];
  for (const page of window.manual) {
    for (const section of page.sections) {
      const title = `${page.title} ${section.title}`.toLowerCase();
      const all = `${title} ${section.words.toLowerCase()}`;
      if (!words.every((w) => all.includes(w))) continue;
      const called = section.title.toLowerCase() === words.join(' ') ? 1 : 0;
      found.push({ page, section, rank: called + words.filter((w) => title.includes(w)).length });
    }
  }
  return found.sort((a, b) => b.rank - a.rank).slice(0, 12);
}

// around is the text near the first of the words.
function around(text, words) {
  const at = words.map((w) => text.toLowerCase().indexOf(w)).filter((k) => k >= 0);
  const from = Math.max(0, Math.min(...at, text.length) - 30);
  return (from > 0 ? '… ' : '') + text.slice(from, from + 110);
}

const input = document.querySelector('.search input');
const results = document.querySelector('.results');

function show() {
  const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
  results.hidden = words.length === 0;
  results.replaceChildren();
  if (results.hidden) return;
  const found = find(words);
  if (found.length === 0) {
    const none = document.createElement('p');
    none.textContent = 'Nothing has all of these words.';
    results.append(none);
  }
  for (const { page, section } of found) {
    const link = document.createElement('a');
    link.href = `${page.page}.html${section.anchor ? '#' + section.anchor : ''}`;
    link.textContent = section.title ? `${page.title}: ${section.title}` : page.title;
    const text = document.createElement('small');
    text.textContent = around(section.words, words);
    link.append(text);
    results.append(link);
  }
}

input.addEventListener('input', show);
document.querySelector('.search').addEventListener('submit', (event) => {
  event.preventDefault();
  results.querySelector('a')?.click();
});
document.addEventListener('keydown', (event) => {
  if (event.key === '/' && document.activeElement.tagName !== 'INPUT') {
    event.preventDefault();
    input.focus();
  }
  if (event.key === 'Escape') results.hidden = true;
});
document.addEventListener('click', (event) => {
  if (!event.target.closest('.results, .search')) results.hidden = true;
  else if (event.target.closest('.results a')) results.hidden = true;
});
