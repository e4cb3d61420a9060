// The texts whose contrast with what is behind them is below 4.5, as WCAG computes it; half-transparent colours are mixed.
(() => {
  const parse = (text) => {
    const numbers = text.match(/[\d.]+/g).map(Number);
    return [...numbers.slice(0, 3), numbers[3] ?? 1];
  };
  const over = (top, under) => [0, 1, 2].map((i) => top[i] * top[3] + under[i] * (1 - top[3])).concat(1);
  const light = (colour) => {
    const linear = colour.slice(0, 3).map((x) => x / 255).map((x) => (x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4));
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
  };
  const above = (element) => (element ? [element, ...above(element.parentElement)] : []);
  const colours = (element) => above(element).map((one) => parse(getComputedStyle(one).backgroundColor)).reverse();
  const isFaint = (element) => above(element).some((one) => one.disabled || Number(getComputedStyle(one).opacity) < 1);
  const found = [];
  for (const element of document.querySelectorAll("body *")) {
    const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
    if (!hasText || !element.checkVisibility() || isFaint(element) || element.closest("svg, option, .hidden-text, .skip")) continue;
    const under = colours(element).reduce((below, top) => over(top, below), [255, 255, 255, 1]);
    const [most, least] = [light(over(parse(getComputedStyle(element).color), under)), light(under)].sort((a, b) => b - a);
    const ratio = (most + 0.05) / (least + 0.05);
    if (ratio < 4.5) found.push(`${ratio.toFixed(2)} ${element.className} ${element.textContent.trim().slice(0, 40)}`);
  }
  return found;
})()
