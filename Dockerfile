# Any Debian-based Node image will do: docker build --build-arg NODE_IMAGE=node:22-bookworm-slim .
ARG NODE_IMAGE=node:24-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY .ci .ci
COPY src src
RUN node .ci/build.mjs cli

FROM ${NODE_IMAGE}
LABEL org.opencontainers.image.title="card-vault-sandbox" \
      org.opencontainers.image.description="A sandbox for card vault and vaulted-card payment integrations" \
      org.opencontainers.image.licenses="MIT"
WORKDIR /app
COPY package.json LICENSE ./
COPY fixtures fixtures
COPY scenarios scenarios
COPY --from=build /build/dist dist
ENV HOST=0.0.0.0 PORT=3000 NODE_ENV=production
USER node
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=5s --timeout=3s --start-period=2s CMD ["node", "/app/dist/cli.cjs", "health"]
ENTRYPOINT ["node", "/app/dist/cli.cjs"]
